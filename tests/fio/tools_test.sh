#!/usr/bin/env bash
# fio's own scripts read our results: fio_jsonplus_clat2csv, fiologparser, fio_generate_plots.
# usage: tools_test.sh FTLSIM SCRATCH
set -eu
ftlsim=$1
scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v fio_jsonplus_clat2csv > /dev/null || exit 77
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$ftlsim" run p41-1tb "$here/tools.fio" -o run --output-format=json+ > result.json 2> messages

fio_jsonplus_clat2csv result.json latency.csv
test "$(wc -l < latency_job0.csv)" -gt 10
python3 - << 'END'
import csv
rows = list(csv.reader(open("latency_job1.csv")))
assert len(rows[0]) == len(rows[1]), rows[:2]
END

parser=/usr/share/doc/fio/fiologparser.py
if [ -f $parser.gz ]; then
  gunzip -c $parser.gz > fiologparser.py
  # The script of fio 3.33 wants the four columns of older logs; it cannot read its own fio's five.
  cut -d, -f1-4 run/curve_clat.1.log > clat.log
  python3 fiologparser.py -i 200 -s clat.log > sums
  test "$(wc -l < sums)" -ge 5
fi

# fio_generate_plots takes the logs of the folder by kind and needs gnuplot.
if command -v gnuplot > /dev/null && command -v fio_generate_plots > /dev/null; then
  (cd run && fio_generate_plots Curve > ../plots 2>&1)
  test -s run/Curve-bw.svg
fi
echo "fio's scripts read our results"
