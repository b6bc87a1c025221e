#!/bin/bash
# The folders of the steps, one a line, from the second column of kernels.csv: a number N is the folder stepN_*, a step of
# the ladder; a name is the folder of that name, a step of one's own.
#
#   tools/steps.sh ladder     those of the ladder, in order
#   tools/steps.sh own        the others
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
awk -F, 'NR > 1 && !seen[$2]++ { print $2 }' kernels.csv | while read -r step; do
  case $1,$step in
    ladder,[1-9]*) echo step"$step"_* ;;
    own,[!1-9]*) echo "$step" ;;
  esac
done
