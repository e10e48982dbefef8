#!/usr/bin/env bash
# Instructions per host command, counted by callgrind: the difference between a longer and a shorter
# run, so that start-up and report do not count. Usage: instructions.sh PATH-OF-FTLSIM
set -euo pipefail
ftlsim=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

count() {  # name, drive, procedure file -> instructions
  valgrind --tool=callgrind --callgrind-out-file="$dir/$1.out" "$ftlsim" run "$2" "$3" -o "$dir/$1" \
    >"$dir/$1.log" 2>&1 || { cat "$dir/$1.log" >&2; exit 1; }
  awk '/^summary:|^totals:/ {print $2; exit}' "$dir/$1.out"
}
measure() {  # label, drive, preparation, step text with @N@, shorter, longer
  printf 'steps:\n%s\n%s\n' "$3" "${4//@N@/$5}" >"$dir/short.yaml"
  printf 'steps:\n%s\n%s\n' "$3" "${4//@N@/$6}" >"$dir/long.yaml"
  local a b
  a=$(count short "$2" "$dir/short.yaml")
  b=$(count long "$2" "$dir/long.yaml")
  local commands=$(( ($6 - $5) / $7 ))
  printf '%-28s %8d instructions per command\n' "$1" $(( (b - a) / commands ))
}
kib=1024
fill='  - {step: write, name: fill, pattern: sequential, block_size: 128KiB, iodepth: 32, size: 2GiB}'
format='  - {step: format, name: format}'
measure 'sequential write, 128 KiB' p41-1tb "$format" \
  '  - {step: write, name: w, pattern: sequential, block_size: 128KiB, iodepth: 32, size: @N@B}' \
  $((1024 * kib * kib)) $((3072 * kib * kib)) $((128 * kib))
measure 'random read, 4 KiB' p41-1tb "$fill" \
  '  - {step: read, name: r, pattern: random, block_size: 4KiB, iodepth: 32, size: 2GiB, io_size: @N@B}' \
  $((64 * kib * kib)) $((256 * kib * kib)) $((4 * kib))
# A small drive with the same dies is full, so that collection is active.
small=$dir/small.yaml
printf 'extends: %s\ncapacity: 1GiB\nnand:\n  geometry:\n    word_lines: 4\n    blocks_per_plane: 32\n    factory_bad_blocks: 0%%\nslc:\n  mode: none\n  limit: []\ngc:\n  low_watermark: 4\n  high_watermark: 6\n' \
  "$(cd "$(dirname "$0")/../../configs/drives" && pwd)/p41-1tb.yaml" >"$small"
measure 'random overwrite, 4 KiB, GC' "$small" \
  '  - {step: write, name: fill, pattern: sequential, block_size: 128KiB, iodepth: 32, size: 100%}
  - {step: write, name: age, pattern: random, block_size: 4KiB, iodepth: 32, size: 100%, io_size: 1GiB}' \
  '  - {step: write, name: o, pattern: random, block_size: 4KiB, iodepth: 32, size: 100%, io_size: @N@B}' \
  $((64 * kib * kib)) $((256 * kib * kib)) $((4 * kib))
