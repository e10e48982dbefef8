#!/usr/bin/env bash
# Wrong input of the program as a user gives it: exit code 2 and a message that says what is wrong.
# usage: exit_codes_test.sh FTLSIM SCRATCH
set -eu
ftlsim=$1
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

# A file, what the message must contain, and the command.
refused() {
  local file=$1 part=$2 code=0
  shift 2
  "$ftlsim" "$@" > out 2> messages || code=$?
  if [ $code != 2 ] || ! grep -qF -- "$part" messages; then
    echo "$file: exit code $code, no message with '$part' in:"
    cat messages
    exit 1
  fi
}

printf 'steps:\n  - {step: idle, duration: 1s}\n' > idle.yaml
refused idle.yaml 'no step of the workload asks anything of the drive' run p41-1tb idle.yaml -o run
printf '[j]\nrw=raed\n' > word.fio
refused word.fio "word.fio:2:1: error: rw: unknown kind 'raed'; did you mean 'read'?" \
  run p41-1tb word.fio -o run
printf '[j]\nsize=600g\nnumjobs=2\n' > files.fio
refused files.fio "files.fio:2:1: error: the 2 files of the jobs take" run p41-1tb files.fio -o run
printf '[j]\nsprandom=1\n' > option.fio
refused option.fio "'sprandom' with the value '1' is not modelled: fill the drive, then" \
  run p41-1tb option.fio -o run
printf '1001, 136, 0, 4096, 0\n' > bw.log
refused bw.log "a log of fio's results" trace info bw.log
printf '\001\002\377 noise \n' > noise.bin
refused noise.bin 'is not recognised' trace info noise.bin
printf 'time_ns,op,offset_bytes,size_bytes,device\n5,read,0,0,a\n' > zero.csv
refused zero.csv 'zero.csv:2: error: size of zero' run p41-1tb zero.csv -o run
refused zero.csv 'wrong number of columns' trace info --format msr zero.csv
: > empty.csv
refused empty.csv 'the trace is empty' run p41-1tb empty.csv -o run
printf 'time_ns,op,offset_bytes,size_bytes,device\n5,read,0,4096,a\n' | gzip -c | head -c 40 > cut.gz
refused cut.gz 'data ends early' trace info cut.gz
echo "every wrong input is refused"
