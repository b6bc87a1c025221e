#!/usr/bin/env bash
# Runs a program on Oclgrind, where that is installed. Oclgrind compiles nothing, so a kernel that is run once on
# a small image costs a tenth of what it costs on PoCL; and it sees every read and write beyond a buffer, which it
# reports on stderr in a line that begins with "Invalid".
# usage: interpreted.sh PROGRAM [ARGUMENTS]
set -eu
if command -v oclgrind > /dev/null; then
  exec oclgrind "$@" --device oclgrind
fi
exec "$@"
