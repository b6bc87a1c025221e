#!/usr/bin/env bash
# Is every source file as clang-format leaves it, and no line of comment too long for it? It does not wrap all of
# them, and it does not know scripts.
set -euo pipefail
cd "$(dirname "$0")/.."
git rev-parse --is-inside-work-tree > /dev/null 2>&1 || { echo "not a checkout of git"; exit 77; }
# With those that are not added yet.
files() { git ls-files --cached --others --exclude-standard "$@" | while read -r file; do [[ ! -f $file ]] || echo "$file"; done; }
too_long() { # CHARACTERS SIGN_OF_COMMENTS FILES
  awk -v most="$1" -v sign="$2" 'length > most && $0 ~ sign { print FILENAME ":" FNR ": " length " characters"; found = 1 } END { exit !found }' "${@:3}"
}
status=0
mapfile -t sources < <(files '*.cpp' '*.hpp' '*.cl')
mapfile -t scripts < <(files '*.sh' '*.bash' tutorial)
! LC_ALL=C.UTF-8 too_long 100 // "${sources[@]}" || status=1
! LC_ALL=C.UTF-8 too_long 120 '^ *#' "${scripts[@]}" || status=1
# A page begins with its title, which has no mark of a table or a figure.
while read -r page; do
  grep -m 1 -qE '^# [^<|]+$' <(head -n 1 "$page") || { echo "$page does not begin with a title"; status=1; }
done < <(files '*.md' ':!.github')
# Mistake 3 of HISTORY.md: no pointer to floats in local memory is made into one to float4, which needs more alignment.
! grep -nE '\(__local +float4 *\*\) *[&a-z]' "${sources[@]}" || status=1
# Versions differ in details, so only version 14 decides.
if clang-format --version 2> /dev/null | grep -q 'version 14'; then
  clang-format --dry-run -Werror "${sources[@]}" || status=1
elif ((status == 0)); then
  echo "clang-format 14 is not installed"
  status=77
fi
exit $status
