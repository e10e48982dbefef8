#!/usr/bin/env python3
"""Replays one I/O log with fio and with ftlsim, and compares requests and times.

usage: compare_replay.py FTLSIM SCRATCH
"""
import json
import os
import shutil
import subprocess
import sys

# Without replay_skip, which fio 3.33 knows but does not apply to I/O logs.
VARIANTS = ["", "replay_time_scale=200", "replay_time_scale=50", "replay_no_stall=1",
            "replay_scale=4\nreplay_align=4096"]


def write_log():
    """50 requests, 20 ms apart: four reads, one write in turn, and now and then a sync."""
    lines = ["fio version 3 iolog", "0 target add", "0 target open"]
    time = 1000
    for i in range(50):
        kind = "write" if i % 5 == 4 else "read"
        lines.append(f"{time} target {kind} {i * 4096} 4096")
        time += 20000
        if i % 10 == 9:
            lines.append(f"{time} target sync 0 0")
            time += 20000
    lines.append(f"{time} target close")
    with open("log", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def job_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index("{"):])["jobs"][0]


def main():
    ftlsim = os.path.abspath(sys.argv[1])
    os.chdir(sys.argv[2])
    write_log()
    with open("target", "wb") as file:
        file.write(bytes(1 << 20))
    bad = 0
    for options in VARIANTS:
        with open("job.fio", "w", encoding="utf-8") as file:
            file.write(f"[j]\nioengine=psync\nread_iolog=log\n{options}\n")
        subprocess.run(["fio", "job.fio", "--output-format=json", "--output=theirs"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree("run", ignore_errors=True)
        with open("ours", "w", encoding="utf-8") as out:
            subprocess.run([ftlsim, "run", "p41-1tb", "job.fio", "-o", "run",
                            "--output-format=json"], check=True, stdout=out,
                           stderr=subprocess.DEVNULL)
        theirs, ours = job_of("theirs"), job_of("ours")
        same = abs(theirs["job_runtime"] - ours["job_runtime"]) <= 100
        for key in ("read", "write"):
            for count in ("total_ios", "io_bytes"):
                same = same and theirs[key][count] == ours[key][count]
        if not same:
            bad = 1
            print(options, [(j["job_runtime"], j["read"]["total_ios"], j["write"]["total_ios"])
                            for j in (theirs, ours)])
    sys.exit(bad)


if __name__ == "__main__":
    main()
