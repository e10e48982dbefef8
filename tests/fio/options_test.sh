#!/usr/bin/env bash
# Every option that fio knows, under each of its names, is known here: none is an unknown one.
# usage: options_test.sh FTLSIM SCRATCH
set -eu
command -v fio > /dev/null || exit 77
ftlsim=$1
rm -rf "$2"
mkdir -p "$2"
cd "$2"
fio --cmdhelp=all | grep -oE '^ *[a-z_0-9-]+ +:' | tr -d ' :' > names
for name in $(cat names); do
  fio --cmdhelp="$name" | awk '$1 == "alias:" {print $2}'
done > aliases
test "$(wc -l < names)" -gt 150
{
  echo '[j]'
  sort -u names aliases
} > all.fio
"$ftlsim" run p41-1tb all.fio -o run > out 2> messages || true
grep -q 'all.fio:' messages
if grep 'unknown option' messages; then exit 1; fi
echo "all options of fio are known"
