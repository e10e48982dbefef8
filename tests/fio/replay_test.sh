#!/usr/bin/env bash
# Jobs that replay an I/O log: fio and ftlsim on the same log.
# usage: replay_test.sh FTLSIM SCRATCH
set -eu
command -v fio > /dev/null || exit 77
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
python3 "$here/compare_replay.py" "$1" "$2"
echo "same replays"
