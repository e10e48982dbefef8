#!/usr/bin/env bash
# Runs one job file with fio on a file and with ftlsim, and compares the structure of their JSON key
# by key and the columns of their logs.
# usage: structure_test.sh FTLSIM SCRATCH
set -eu
ftlsim=$1
scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v fio > /dev/null || exit 77
rm -rf "$scratch"
mkdir -p "$scratch/fio"
cd "$scratch"

compare() {  # job file, format
  (cd fio && fio "$here/$1.fio" --filename="$scratch/target" --output-format="$2" \
    --output="$scratch/fio.$2")
  "$ftlsim" run p41-1tb "$here/$1.fio" -o run --output-format="$2" > "ours.$2" 2> messages
  python3 "$here/compare_structure.py" "fio.$2" "ours.$2"
}
compare unified json
compare structure json
compare structure json+
rm -f target

for log in seq_bw.1 seq_iops.1 seq_lat.1 seq_slat.1 seq_clat.1 mix_clat_hist.2 mix_clat_hist.3; do
  test -f "run/$log.log" || { echo "no log $log"; exit 1; }
  test -s "run/$log.log" || continue
  ours=$(awk -F, '{print NF}' "run/$log.log" | sort -u)
  theirs=$(awk -F, '{print NF}' "fio/$log.log" | sort -u)
  if [ -n "$theirs" ] && [ "$ours" != "$theirs" ]; then
    echo "$log: $ours columns, fio has $theirs"
    exit 1
  fi
done

"$ftlsim" run p41-1tb "$here/structure.fio" -o run --output-format=terse > ours.terse 2> messages
(cd fio && fio "$here/structure.fio" --filename="$scratch/target" --output-format=terse \
  --output="$scratch/fio.terse")
rm -f target
# fio may add nine fields per block device.
same_fields() {
  grep '^3;' fio.terse | awk -F';' '{print NF}' > fio.fields
  awk -F';' '{print NF}' ours.terse | paste - fio.fields |
    awk '$1 != $2 && $1 + 9 != $2 {print "terse: " $2 " fields, ours " $1; bad = 1} END {exit bad}'
}
same_fields
"$ftlsim" run p41-1tb "$here/unified.fio" -o run --output-format=terse > ours.terse 2> messages
(cd fio && fio "$here/unified.fio" --filename="$scratch/target" --output-format=terse \
  --output="$scratch/fio.terse")
same_fields
# The lines of the normal output, by the word at their beginning.
"$ftlsim" run p41-1tb "$here/unified.fio" -o run --output-format=normal > ours.normal 2> messages
(cd fio && fio "$here/unified.fio" --filename="$scratch/target" --output="$scratch/fio.normal")
rm -f target
for file in ours fio; do
  grep -oE '^ *(read|write|mixed|READ|WRITE|MIXED|TRIM):|issued rwts: total=[0-9]+,(0,0)?' \
    $file.normal | sed -E 's/[1-9][0-9]*/N/g' > $file.lines
done
diff ours.lines fio.lines
"$ftlsim" run p41-1tb "$here/structure.fio" -o run --output-format=normal > ours.normal 2> messages
grep -q 'Run status group 2 (all jobs):' ours.normal
echo "same structure"
