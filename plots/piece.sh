#!/bin/bash
# Measures one piece of a table; ninja runs it by the rules that `report plan` writes.
#     plots/piece.sh FOLDER HASH BUILD_OPTIONS PROGRAM [ARGUMENTS]
# PROGRAM writes into FOLDER.part. That becomes FOLDER when it is complete: what the program wrote; the `command`, with
# the HASH of the program's file; the `inputs` that it read; and what it said of a kernel that was `wrong`.
folder=$1 part=$1.part
rm -rf "$part" && mkdir -p "$part" || exit 1
export TUTORIAL_INPUTS=$part/inputs
: > "$TUTORIAL_INPUTS"
[[ -z $3 ]] || export TUTORIAL_BUILD_OPTIONS=$3
status=0
"${@:4}" > "$part/log" 2>&1 < /dev/null || status=$?
case $status in
  0) ;;
  2) cp "$part/log" "$part/wrong" ;; # the rows of the others count
  *) cat "$part/log"; echo "exit status $status"; exit 1 ;;
esac
[[ -f $part/rows.csv ]] || { cat "$part/log"; echo "it wrote no rows"; exit 1; }
printf '%s\n' "${@:2}" > "$part/command" && rm -rf "$folder" "$part/log" && mv "$part" "$folder"
