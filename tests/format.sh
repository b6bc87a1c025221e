#!/usr/bin/env bash
# Is every source file as clang-format leaves it? Versions differ in details, so only version 14 decides.
set -eu
cd "$(dirname "$0")/.."
if ! clang-format --version 2> /dev/null | grep -q 'version 14'; then
  echo "clang-format 14 is not installed"
  exit 77
fi
# With those that are not added yet.
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cl' | xargs -0 clang-format --dry-run -Werror
