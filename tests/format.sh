#!/usr/bin/env bash
# Is every source file as clang-format leaves it? Versions differ in details, so only version 14 decides.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! clang-format --version 2> /dev/null | grep -q 'version 14'; then
  echo "clang-format 14 is not installed"
  exit 77
fi
git rev-parse --is-inside-work-tree > /dev/null 2>&1 || { echo "not a checkout of git"; exit 77; }
# With those that are not added yet.
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.cl' | xargs -0 clang-format --dry-run -Werror
