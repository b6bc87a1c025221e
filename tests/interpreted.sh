#!/usr/bin/env bash
# Runs a program on Oclgrind, where that is installed, else on PoCL. Neither is to optimise: then a kernel for a wide
# filter, all of whose loops are to be unrolled, is ready at once, and a run on a small image costs a tenth of what it
# costs on PoCL otherwise. And Oclgrind sees every read and write beyond a buffer, which it reports on stderr in a line
# that begins with "Invalid".
# usage: interpreted.sh PROGRAM [ARGUMENTS]
set -eu
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
if [[ ! ${ON_DEVICE-} ]] && command -v oclgrind > /dev/null; then
  # Memory is kept instead of returned and fetched again for each buffer: a sixth to a third of the time.
  export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_TOP_PAD_=16000000
  # With one thread, a kernel that writes where another work-item does is wrong each time, or never.
  exec oclgrind --num-threads 1 --local-mem-size 65536 "$@" --device oclgrind
fi
# PoCL 7.1 loses half of each float16 without its optimiser: what is wrong has to be wrong with it, too.
run=$(mktemp -d)
trap 'rm -r "$run"' EXIT
status=0
"$@" > "$run/out" 2> "$run/err" || status=$?
if ((status == 2)); then
  status=0
  env -u POCL_EXTRA_BUILD_FLAGS "$@" > "$run/out" 2> "$run/err" || status=$?
fi
cat "$run/out"
cat "$run/err" >&2
exit "$status"
