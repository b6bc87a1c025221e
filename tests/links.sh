#!/bin/bash
# Does every relative link of the Markdown files lead somewhere: is the file there, and in it the heading or id? Is every
# label known in its file? Are the lines that opencl/README.md quotes those of step 1's host, of common/, or of a kernel?
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t pages < <(git ls-files --cached --others --exclude-standard -- '*.md')
broken=0
complain() {
  echo "$*"
  broken=1
}
prose() { sed -E '/^ *```/,/^ *```/d; /^    /d; s/`[^`]*`//g; s/<!-- expect:.*//' "$1"; }

# The anchors that GitHub makes of headings, the second of the same name with -1; and the ids.
declare -A anchors=()
for page in "${pages[@]}"; do
  while read -r anchor; do
    number=
    while [[ -v anchors[$page#$anchor$number] ]]; do number=$((number - 1)); done
    anchors[$page#$anchor$number]=yes
  done < <(sed '/^ *```/,/^ *```/d' "$page" | sed -nE 's/^#+ +//p' | sed -E 's/\]\([^)]*\)//g; s/[^A-Za-z0-9_ -]//g; s/ /-/g; s/.*/\L&/')
  while read -r id; do anchors[$page#$id]=yes; done < <(grep -oP '<a id="\K[^"]*' "$page" || :)
done

for page in "${pages[@]}"; do
  declare -A labels=()
  while read -r label; do labels[${label,,}]=yes; done < <(prose "$page" | grep -oP '^\[\K[^]]*(?=\]: )' || :)
  while read -r label; do
    [[ -v labels[${label,,}] ]] || complain "$page: no link [$label]"
  done < <(prose "$page" | sed -E 's/!?\[[^][]*\]\([^)]*\)//g; /^\[[^]]*\]: /d' | grep -oP '\[[^][]+\](\[[^][]+\])?' | sed -E 's/.*\[//; s/\]$//' || :)
  while read -r target; do
    [[ $target != http* ]] || continue
    file=$page
    [[ $target == \#* ]] || file=$(realpath -m --relative-to=. -- "$(dirname "$page")/${target%%#*}")
    [[ -e $file ]] || complain "$page: no file $file"
    [[ $target != *#* || -v anchors[$file#${target#*#}] ]] || complain "$page: no heading for $target"
  done < <(prose "$page" | grep -oP '\]\(\K[^) ]*|^\[[^]]*\]: *\K.*' || :)
  unset labels
done

# Quoted lines, from code blocks that are not generated.
while read -r line; do
  grep -qF -- "$line" step1_naive/main.cpp common/*.cpp step*/*.cl || complain "opencl/README.md: step 1 does not have the line $line"
done < <(sed '/^<!-- begin/,/^<!-- end/d' opencl/README.md | sed -n '/^```/,/^```/p' | sed '/^```/d; s/^ *//')
exit $broken
