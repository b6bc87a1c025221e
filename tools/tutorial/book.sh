#!/bin/bash
# The whole tutorial as the body of one HTML page: all READMEs in their order, then the reader's results. It runs in the
# repository's root.
#
#   tools/tutorial/book.sh REPORT RESULTS_DIR
set -euo pipefail
report=$1 results=$2
plain=--no-highlight
! pandoc --help | grep -q -e --syntax-highlighting || plain=--syntax-highlighting=none # its name since pandoc 3.8
mapfile -t steps < <("$report" steps ladder)
mapfile -t own < <("$report" steps own | xargs -n 1 "$report" step)
chapters=(README.md)
for folder in background/{opencl,devices,roofline} tools/{xray,puzzles} "${steps[@]}" studies/pipeline studies/scale median studies/edge_conditions peers "${own[@]}"; do
  chapters+=("$folder/README.md")
  for page in "$folder"/*.md; do [[ $page == *README.md || ! -f $page ]] || chapters+=("$page"); done
done
chapters+=(METHOD.md background/GLOSSARY.md SETUP.md HISTORY.md DEVICES.md CONTRIBUTING.md tests/README.md "$results/index.md")

# The reader's charts follow the reference's.
beside=
for chart in "$results"/charts/*.svg; do
  beside+="s|<img src=\"[^\"]*plots/charts/h200/${chart##*/}\"[^>]*>|&Your device:<img src=\"$chart\" alt=\"the same chart\"/>|;"
done
# Every chapter's anchors get its name in front, step10_fft or step10_fft-CPU; then links between the chapters
# become links within the page, and of other files the names remain.
for chapter in "${chapters[@]}"; do
  [[ -f $chapter ]] || continue
  id=${chapter%.md} id=${id%/README} id=${id//\//-}
  echo "<a id=\"$id\"></a>"
  pandoc --from gfm+rebase_relative_paths --to html --wrap none "$plain" --id-prefix "$id--" "$chapter" |
    sed "s/<a id=\"/&$id--/g; $beside"
done | sed -E '
  :up s#(href|src)="([a-z0-9_]+/)*[a-z0-9_]+/\.\./#\1="\2#; t up
  s#href="([a-z0-9_/]+)/README\.md#href="\1.md#g
  :join s#href="([a-z0-9_-]+)/([A-Za-z0-9_/-]+\.md)#href="\1-\2#; t join
  s!href="([A-Za-z0-9_-]+)\.md#!href="#\1--!g
  s!href="([A-Za-z0-9_-]+)\.md"!href="#\1"!g
  s!<a href="([^#":][^":]*)"!<a title="\1"!g'
