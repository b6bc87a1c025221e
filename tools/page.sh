#!/bin/bash
# Writes RESULTS_DIR/index.html, one page of all that was measured: the charts, the tables, the published claims, and a
# comparison with the reference device of the same kind. It needs ladder.csv; the rest is shown where it is there.
#
#   tools/page.sh RESULTS_DIR
set -euo pipefail
(($# == 1)) || { echo "usage: $0 RESULTS_DIR" >&2; exit 1; }
results=$(realpath -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ladder=$results/ladder.csv
[[ -f $ladder ]] || { echo "$0: no ladder.csv in $results; './tutorial run' makes it" >&2; exit 1; }

head_of() { awk -f plots/csv.awk -v ask=head -v key="$1" "$ladder"; }
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' <<< "$1"; }

if [[ $(head_of device_type) == CPU ]]; then reference=pocl-xeon; else reference=h200; fi
reference=plots/data/$reference/ladder.csv
device=$(escape "$(head_of device)")

# The lines of page_charts.txt without comments, and those of steps of one's own: name|title|what to see.
chart_list() {
  grep -v '^#' tools/page_charts.txt | sed 's/ *| */|/g'
  tools/steps.sh own | sed "s/.*/&|&: a step of one's own|Below the dashed line only another method gets, with fewer multiply-adds than taps./"
}

figure() { # NAME TITLE WHAT_TO_SEE: a chart within the page, so that the page is one file
  printf '<figure id="chart-%s">\n<div class="scroll" tabindex="0"><img alt="%s; %s" src="data:image/svg+xml;base64,%s"></div>\n<figcaption>%s</figcaption>\n</figure>\n' \
    "$1" "$(escape "$2")" "$device" "$(base64 -w 0 "$results/charts/$1.svg")" "$(escape "$3")"
}

# --- What takes the place of the lines <!-- insert: NAME --> in page.html -------------------------

insert_title() { echo "<title>OpenCL convolution on $device</title>"; }

insert_style() { cat tools/page.css; }

insert_heading() {
  echo "<h1>OpenCL convolution on $device</h1>"
  echo "<p>$(escape "$(head_of size)") pixels, image: $(escape "$(head_of image)"), filter: $(escape "$(head_of filter)")." \
    "Percent is time relative to <code>Convolve</code>, the naive kernel, on the same device; lower is faster.</p>"
}

insert_warning() {
  local warning
  warning=$(awk -f tools/quiet.awk "$results"/*.csv)
  [[ -z $warning ]] || echo "<p class=\"warning\">$(escape "$warning")</p>"
}

insert_ladder_chart() { show_charts ladder; }

insert_charts() { show_charts; }

show_charts() { # [ladder]: that chart alone; without it all others
  local name title see
  while IFS='|' read -r name title see; do
    [[ -f $results/charts/$name.svg ]] || continue
    if [[ ${1-} == ladder && $name == ladder || $# -eq 0 && $name != ladder ]]; then
      figure "$name" "$title" "$see"
    fi
  done < <(chart_list)
}

insert_ladder_table() {
  awk -f tools/ladder_table.awk "$ladder" | awk -v part=ladder -f tools/page.awk
}

insert_compare() { awk -v part=compare -f tools/page.awk "$ladder" "$reference"; }

insert_claims() {
  if [[ -f $results/claims.csv ]]; then
    awk -v part=claims -f tools/page.awk "$results/claims.csv"
  else
    echo "<p>There is no <code>claims.csv</code> yet: <code>./tutorial run</code> makes it.</p>"
  fi
}

insert_missing() {
  local name title see missing=
  if ! compgen -G "$results/charts/*.svg" > /dev/null; then
    echo "<p>No chart has been drawn: <code>./tutorial charts</code> does it where gnuplot is installed.</p>"
    return
  fi
  while IFS='|' read -r name title see; do
    [[ -f $results/charts/$name.svg ]] || missing+="<li>$(escape "$title")</li>"$'\n'
  done < <(chart_list)
  if [[ -n $missing ]]; then
    echo "<p>These charts need measurements that this run did not make: <code>./tutorial run --all</code> makes them" \
      "(those of other libraries where the libraries are installed).</p>"
    echo "<ul>"
    printf '%s' "$missing"
    echo "</ul>"
  else
    echo "<p>Nothing: every chart is there.</p>"
  fi
}

insert_device() { awk -v part=device -f tools/page.awk "$ladder" "$reference"; }

# The page appears whole or not at all.
trap 'rm -f "$results/index.html.new"' EXIT
while IFS= read -r line; do
  if [[ $line =~ ^'<!-- insert: '([a-z_]+)' -->'$ ]]; then
    "insert_${BASH_REMATCH[1]}"
  else
    printf '%s\n' "$line"
  fi
done < tools/page.html > "$results/index.html.new"
mv "$results/index.html.new" "$results/index.html"
