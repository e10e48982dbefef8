#!/usr/bin/env python3
"""Runs jobs that end early with fio and with ftlsim, and compares their errors and how long each ran.

All jobs keep a rate that any drive can keep, so that times do not depend on it.

usage: compare_ends.py FTLSIM SCRATCH
"""
import json
import os
import shutil
import subprocess
import sys

GLOBAL = ("[global]\nbs=4k\nsize=1m\nioengine=psync\nrw=read\nrate_iops=100\ntime_based\n"
          "fallocate=none\n")
JOBS = {
    "exitall": "[a]\nruntime=1\nexitall\n[b]\nruntime=3\n[c]\nruntime=2\nnew_group\n"
               "[d]\nstonewall\nruntime=1\n",
    "exit_what=stonewall": "[a]\nruntime=1\nexitall\nexit_what=stonewall\n[b]\nruntime=3\n"
                           "new_group\n[d]\nstonewall\nruntime=1\n",
    "exit_what=all": "[a]\nruntime=1\nexitall\nexit_what=all\n[b]\nruntime=3\n"
                     "[d]\nstonewall\nruntime=1\n",
    "not begun": "[a]\nruntime=1\nexitall\n[b]\nruntime=3\nstartdelay=2\n",
    "rate_min": "[a]\nrate_min=1m\nruntime=4\n[b]\nruntime=4\n",
    "rate_iops_min": "[a]\nrate_iops_min=90\nthinktime=30ms\nrate_cycle=500\nruntime=4\n"
                     "[b]\nruntime=4\nexitall_on_error\n",
    "on error": "[global]\nexitall_on_error\n[a]\nrate_min=1m\nruntime=4\n[b]\nruntime=4\n",
    "max_latency": "[a]\nmax_latency=1us\nruntime=1\n[b]\nruntime=1\n",
    "continue": "[a]\ncontinue_on_error=all\nruntime=1\n",
}


def load(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index("{"):])["jobs"]


def main():
    ftlsim = os.path.abspath(sys.argv[1])
    os.chdir(sys.argv[2])
    bad = 0
    for name, text in JOBS.items():
        with open("job.fio", "w", encoding="utf-8") as file:
            file.write(GLOBAL + text)
        shutil.rmtree("fio", ignore_errors=True)
        os.mkdir("fio")
        # fio exits with 1 if a job had an error.
        subprocess.run(["fio", "../job.fio", "--output-format=json", "--output=../theirs"],
                       cwd="fio", check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open("ours", "w", encoding="utf-8") as out:
            subprocess.run([ftlsim, "run", "p41-1tb", "job.fio", "-o", "run",
                            "--output-format=json"], check=True, stdout=out,
                           stderr=subprocess.DEVNULL)
        # fio lists jobs that were never begun as well.
        theirs = [job for job in load("theirs") if job["job_runtime"] > 0 or job["error"] != 0]
        ours = [job for job in load("ours") if job["job_runtime"] > 0]
        same = len(theirs) == len(ours)
        for fio, job in zip(theirs, ours):
            for key in ("jobname", "groupid", "error", "total_err", "first_error"):
                same = same and fio.get(key) == job.get(key)
            same = same and abs(fio["job_runtime"] - job["job_runtime"]) <= 150
        if not same:
            bad = 1
            for jobs in (theirs, ours):
                print(name, [(j["jobname"], j["groupid"], j["error"], j["job_runtime"])
                             for j in jobs])
    sys.exit(bad)


if __name__ == "__main__":
    main()
