#!/bin/bash
# Writes RESULTS_DIR/book.html: all READMEs as one HTML file that needs no other, with the reader's charts and claims where
# RESULTS_DIR has them. STEPs are the folders of the ladder, in their order. It needs pandoc.
#
#   tools/book.sh RESULTS_DIR STEP...
set -euo pipefail
(($# > 1)) || { echo "usage: $0 RESULTS_DIR STEP..." >&2; exit 1; }
results=$(realpath -m -- "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v pandoc > /dev/null || { echo "$0: pandoc is not installed" >&2; exit 1; }

chapters=(README.md)
for folder in opencl devices "$@" $(tools/steps.sh own) median edge_conditions roofline xray pipeline peers; do
  [[ ! -f $folder/README.md ]] || chapters+=("$folder/README.md")
done
[[ ! -f $results/claims.csv ]] || chapters+=("$(realpath --relative-to=. -- "$results/claims.csv")")
chapters+=(EXERCISES.md ERRATA.md)

# pandoc has a new name for its option since version 2.19.
self_contained=(--self-contained)
if pandoc --help | grep -q -e --embed-resources; then self_contained=(--embed-resources --standalone); fi

mkdir -p "$results"
pandoc --from gfm --to html5 "${self_contained[@]}" --template tools/book.html --css tools/page.css \
  --wrap none --toc --toc-depth 2 --lua-filter tools/book.lua --metadata pagetitle="Optimising OpenCL kernels, one step at a time" \
  --metadata chapters="${chapters[*]}" --metadata results="$(realpath --relative-to=. -m -- "$results")" \
  --output "$results/book.html.new" < /dev/null
mv "$results/book.html.new" "$results/book.html"
