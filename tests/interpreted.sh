#!/usr/bin/env bash
# Runs a program on Oclgrind, where that is installed, else on PoCL. Neither is to optimise: then a kernel for a wide
# filter, all of whose loops are to be unrolled, is ready at once, and a run on a small image costs a tenth of what it
# costs on PoCL otherwise. And Oclgrind sees every read and write beyond a buffer, which it reports on stderr in a line
# that begins with "Invalid".
# usage: interpreted.sh PROGRAM [ARGUMENTS]
set -eu
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
if command -v oclgrind > /dev/null; then
  # Oclgrind is loaded before AddressSanitizer, which is right here; and it frees its images by another size.
  export ASAN_OPTIONS=verify_asan_link_order=0:new_delete_type_mismatch=0:${ASAN_OPTIONS-}
  exec oclgrind --local-mem-size 65536 "$@" --device oclgrind
fi
exec "$@"
