#!/usr/bin/env python3
"""Runs jobs over several files with fio and with ftlsim and compares which request goes where.

fio tells it in its I/O log; ftlsim in the latency log of a drive on which the files, all smaller
than 1 MiB, lie one MiB apart in order.

usage: compare_files.py FTLSIM SCRATCH
"""
import os
import shutil
import subprocess
import sys

MIB = 1 << 20
GLOBAL = "[global]\nbs=4k\nioengine=psync\ndirect=0\n"

# Jobs whose requests come in an order that no random number decides.
EXACT = {
    "thirds": "[j]\nrw=write\nsize=100k\nnrfiles=3\n",
    "sequential": "[j]\nrw=write\nsize=40k\nnrfiles=3\nfile_service_type=sequential\n",
    "runs": "[j]\nrw=write\nsize=64k\nnrfiles=2\nfile_service_type=roundrobin:3\n",
    "filesize": "[j]\nrw=write\nsize=40k\nfilesize=16k\nnrfiles=3\noffset=4k\n",
    "twice": "[j]\nrw=write\nsize=32k\nio_size=64k\nnrfiles=2\n",
    "loops": "[j]\nrw=write\nsize=32k\nloops=2\nnrfiles=2\nfile_service_type=sequential\n",
    "clones": "[j]\nrw=write\nsize=32k\noffset=8k\nnrfiles=2\nnumjobs=2\noffset_increment=4k\n",
    "remainder": "[j]\nrw=write\nbs=512\nsize=300k\nnrfiles=70\n",
    "shared": "[j]\nrw=write\nsize=16k\nfilename=a\n[k]\nrw=write\nsize=32k\nfilename=b:a\n",
}
# The same requests in any order.
SETS = {
    "verified": "[j]\nrw=write\nsize=32k\nnrfiles=2\nverify=crc32c\n",
    "random": "[j]\nrw=randwrite\nsize=64k\nfilename=a:b:c\n",
    "random files": "[j]\nrw=randwrite\nsize=96k\nnrfiles=3\nfile_service_type=random:2\n",
}
# Requests per file, in order of size, within a fifth or ten of the larger number.
SHARES = {
    "zipf": "[j]\nrw=randwrite\nsize=8m\nnrfiles=16\nfile_service_type=zipf:1.2:0.5\n",
    "pareto": "[j]\nrw=randwrite\nsize=8m\nnrfiles=16\nfile_service_type=pareto:0.3:0\n",
    "normal": "[j]\nrw=randwrite\nsize=8m\nnrfiles=16\nfile_service_type=normal:20\n",
}


def of_fio(text):
    """Requests of each clone as (file, direction, offset, bytes); files in order of mention."""
    shutil.rmtree("fio", ignore_errors=True)
    os.mkdir("fio")
    with open("fio/job.fio", "w", encoding="utf-8") as file:
        # One log a job, and one job at a time, so that the order is clear.
        file.write(GLOBAL + text.replace("rw=", "write_iolog=log\nrw=", 1).replace(
            "\n[k]\n", "\n[k]\nstonewall\nwrite_iolog=log2\n"))
    subprocess.run(["fio", "job.fio"], cwd="fio", check=True, stdout=subprocess.DEVNULL)
    files, requests = [], []
    for log in ("fio/log", "fio/log2"):
        if not os.path.exists(log):
            continue
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                words = line.split()
                if len(words) == 3 and words[2] == "add":
                    files.append(words[1])
                if len(words) == 5 and words[2] in ("read", "write", "trim"):
                    requests.append((words[1], words[2], int(words[3]), int(words[4])))
    if files[0].startswith("j."):  # of clones, which write their names into the log as they start
        files.sort(key=lambda name: [int(part) for part in name.split(".")[1:]])
    numbers = {name: i for i, name in enumerate(dict.fromkeys(files))}
    return [(numbers[name], *rest) for name, *rest in requests]


def of_ftlsim(ftlsim, text):
    """The same of our run."""
    text = text.replace("\n[k]\n", "\n[k]\nstonewall\n")
    with open("ours.fio", "w", encoding="utf-8") as file:
        file.write(GLOBAL + "write_lat_log=ours\nlog_offset=1\nper_job_logs=1\n" + text)
    shutil.rmtree("run", ignore_errors=True)
    subprocess.run([ftlsim, "run", "p41-1tb", "ours.fio", "-o", "run", "--output-format=json"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    requests = []
    number = 1
    while os.path.exists(f"run/ours_clat.{number}.log"):
        with open(f"run/ours_clat.{number}.log", encoding="utf-8") as lines:
            for line in lines:
                _, _, direction, size, offset = [int(v, 0) for v in line.split(",")[:5]]
                requests.append((offset // MIB, ("read", "write", "trim")[direction],
                                 offset % MIB, size))
        number += 1
    return requests


def shares(requests):
    counts = {}
    for request in requests:
        counts[request[0]] = counts.get(request[0], 0) + 1
    return sorted(counts.values(), reverse=True) + [0] * 16


def main():
    ftlsim = os.path.abspath(sys.argv[1])
    os.chdir(sys.argv[2])
    bad = 0
    for name, text in {**EXACT, **SETS, **SHARES}.items():
        theirs, ours = of_fio(text), of_ftlsim(ftlsim, text)
        if not theirs:
            print(f"{name}: fio did nothing")
            bad = 1
        if name in SHARES:
            same = all(abs(a - b) <= max(10, max(a, b) / 5)
                       for a, b in zip(shares(theirs)[:16], shares(ours)))
        elif name in SETS:
            same = sorted(theirs) == sorted(ours)
        elif name == "clones":  # fio writes both into one log, in the order of time
            same = sorted(theirs) == sorted(ours)
        else:
            same = theirs == ours
        if not same:
            print(f"{name}: fio {theirs[:20]}\n  ours {ours[:20]}")
            bad = 1
    sys.exit(bad)


if __name__ == "__main__":
    main()
