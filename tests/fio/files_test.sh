#!/usr/bin/env bash
# Which file a request goes to, and where in it: fio and ftlsim on the same jobs.
# usage: files_test.sh FTLSIM SCRATCH
set -eu
command -v fio > /dev/null || exit 77
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
python3 "$here/compare_files.py" "$1" "$2"
echo "same requests to the same files"
