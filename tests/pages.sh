#!/bin/bash
# results/index.html and the book, as a browser shows them: every chart and diff is there, nothing is fetched or cut off, every
# picture has a text, every link within the page leads somewhere.
#
#   pages.sh BUILD_DIR
# shellcheck disable=SC2016  # eval expands what stands in single quotes
set -uo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

for program in chromium pandoc; do
  command -v "$program" > /dev/null || { echo "$program is not installed"; exit 77; }
done

report_failure() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
expect() { # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" > /dev/null 2>&1 || report_failure "$what"
}
expect_count() { # WHAT EXPECTED FOUND
  checks=$((checks + 1))
  (($2 == $3 && $2 > 0)) || report_failure "$1: $3 instead of $2"
}
count() { grep -o -e "$1" "${@:2}" | wc -l; } # how often the pattern stands in the files

# --- A results folder: the reference CPU's, and a ledger ---------------------------------------------

results=$work/results
mkdir "$results"
cp "$repository"/plots/data/pocl-xeon/*.csv "$results"
cp -r "$repository/plots/charts/pocl-xeon" "$results/charts"
cat > "$results/claims.csv" << 'END'
id,statement,source,device,year,published,measured,low,high,verdict,basis
X1,"gains a quarter, or ""more""",made up,GPU <1>,2009,75 %,1.01,0.96,1.07,does not hold,ladder.csv
X2,gains a factor of three,made up,GPU 2,2011,2.9x,2.9421,2.80001,3.4,holds,chapter7.csv
X3,waves of 64,made up,GPU 3,2009,,,,,not measurable here: no waves,median.csv
END
mapfile -t steps < <("$repository/tools/steps.sh" ladder)
make_pages() { # RESULTS
  { "$repository/tools/page.sh" "$1" && "$repository/tools/book.sh" "$1" "${steps[@]}"; } 2> "$work/err" ||
    report_failure "a page cannot be made: $(head -n 1 "$work/err")"
}
make_pages "$results"
expect "a warning: $(head -n 1 "$work/err")" test ! -s "$work/err"
page=$results/index.html
book=$results/book.html

# --- Everything is there ----------------------------------------------------------------------------

listed=$(grep -v '^#' "$repository/tools/page_charts.txt" | sed 's/ |.*//'; "$repository/tools/steps.sh" own)
for chart in "$repository"/plots/charts/*/*.svg; do
  [[ $chart != */xray/* ]] || continue
  expect "page_charts.txt does not list $(basename "$chart" .svg)" grep -qx "$(basename "$chart" .svg)" <<< "$listed"
done
for chart in "$results"/charts/*.svg; do
  expect "index.html lacks ${chart##*/}" grep -q "<figure id=\"chart-$(basename "$chart" .svg)\">" "$page"
done
expect_count "charts and charts that are not measured" "$(wc -w <<< "$listed")" \
  $(($(count '<figure ' "$page") + $(sed -n '/id="missing"/,/id="device"/p' "$page" | count '<li>')))
kernels=$(grep -v '^#' "$results/ladder.csv" | sed '1d; s/,.*//' | sort -u | wc -l)
expect_count "kernels in the ladder's table" "$kernels" "$(sed -n '/id="ladder"/,/id="compare"/p' "$page" | count '<tr><td>')"
expect_count "kernels in the comparison" "$kernels" "$(sed -n '/id="compare"/,/id="claims"/p' "$page" | count '<tr><td>')"

readmes=("$repository"/*/README.md "$repository"/{README,EXERCISES,ERRATA}.md)
expect_count "diffs in the book" "$(count '^ *```diff' "${readmes[@]}")" "$(count '<pre class="sourceCode diff">' "$book")"
expect_count "folded answers in the book" "$(count '^ *<details' "${readmes[@]}")" "$(count '<details' "$book")"
of_others=$(count '!\[' "${readmes[@]}")
yours=$(count '^Your device: ' "$book")
expect_count "pictures in the book" $((of_others + yours)) "$(count '<img ' "$book")"
expect "the book lacks the reader's charts" test "$yours" -gt 10
for readme in "${readmes[@]}"; do
  title=$(sed -n 's/^# //p; T; q' "$readme")
  expect "the book lacks '$title'" grep -qF "$title" <(grep -A 1 "<h1 " "$book")
done
for file in "$page" "$book"; do
  for text in 'gains a quarter, or &quot;more&quot;' 'GPU &lt;1&gt;' 'does not hold</span>' 'holds</span>' 'no waves</span>' \
    '<td>2.94<small>2.8 to 3.4<' 'Of 3 claims: does not hold 1, holds 1, not measurable here 1.'; do
    expect "${file##*/}: the ledger does not say: $text" grep -qF "$text" "$file"
  done
done

# --- As a browser sees them -------------------------------------------------------------------------

# A page with faults, which must be found.
cat > "$work/broken.html" << 'END'
<html><style>@import "style.css";</style><body><div style="width: 2000px">wide</div><img src="missing.png" alt="a missing file"><a href="#nowhere">x</a>
<img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E"></body></html>
END

cat > "$work/probe.html" << 'END'
<script>
addEventListener('load', () => {
  const found = new Set();
  const window_width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > window_width) found.add('wider than the window');
  for (const element of document.querySelectorAll('body *')) {
    if (!element.closest('.scroll, pre') && element.getBoundingClientRect().right > window_width + 1)
      found.add('cut off: ' + element.tagName + ' ' + element.textContent.slice(0, 40));
  }
  for (const image of document.images) {
    if (!image.alt.trim()) found.add('a picture without a text');
    if (!image.complete || !image.naturalWidth) found.add('a picture is not shown: ' + image.alt);
  }
  for (const link of document.querySelectorAll('a[href]')) {
    const target = link.getAttribute('href');
    if (target[0] === '#' ? !document.getElementById(decodeURIComponent(target.slice(1))) : !/^https?:/.test(target))
      found.add('a link to nothing: ' + target);
  }
  for (const element of document.querySelectorAll('[src], link[href]'))
    if (!(element.getAttribute('src') ?? element.getAttribute('href')).startsWith('data:')) found.add('fetched: ' + element.outerHTML.slice(0, 60));
  for (const style of document.querySelectorAll('style'))
    if (/@import|url[(](?!["']?data:)/.test(style.textContent)) found.add('fetched by a style');
  parent.postMessage(`${location.pathname.split('/').pop()} at ${innerWidth}: ${[...found].join('; ') || 'ok'}`, '*');
});
</script>
END
for file in "$page" "$book" "$work/broken.html"; do
  cat "$file" "$work/probe.html" > "$work/probe-${file##*/}"
done
# A browser's window cannot be as narrow as a phone; a frame can.
cat > "$work/frames.html" << 'END'
<body><pre id="report"></pre><script>
addEventListener('message', event => document.getElementById('report').append(event.data + '\n'));
</script>
END
for width in 1280 390; do
  for file in probe-{index,book,broken}.html; do
    echo "<iframe src=\"$file\" style=\"border: 0; width: ${width}px; height: 900px\"></iframe>" >> "$work/frames.html"
  done
done
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=1400,900 \
  --virtual-time-budget=10000 --dump-dom "$work/frames.html" > "$work/report" 2> "$work/err"
for width in 1280 390; do
  for file in index book; do
    checks=$((checks + 1))
    grep -qE "probe-$file.html at $width: ok" "$work/report" || report_failure "$(grep -o "$file.html at $width.\{0,400\}" "$work/report" ||
      echo "$file.html at $width: no report; chromium: $(tail -n 1 "$work/err")")"
  done
  for fault in 'wider than the window' 'cut off: DIV wide' 'without a text' 'not shown: a missing file' 'link to nothing: #nowhere' \
    'fetched: .*missing.png' 'fetched by a style'; do
    expect "the probe does not find at $width: $fault" grep -qE "broken.html at $width: .*$fault" "$work/report"
  done
done

# --- The page follows the measurements --------------------------------------------------------------

lines_from_to() { sed -n "/id=\"$1\"/,/id=\"$2\"/p" "$page"; }
expect "the reference differs from itself" grep -qE ': ([0-9]+) pairs, of which \1 agree' "$page"
expect "778 is in the page before it was measured" eval '! grep -qE ">778<|778 %" "$page"'
# One time, the ledger's first verdict, and intervals.
width=$(awk -F, '$1 == "Convolve_Block" && $2 > width { width = $2 } END { print width }' "$results/ladder.csv")
awk -F, -v OFS=, -v width="$width" '$1 == "Convolve_Block" && $2 == width {
    $8 *= 1000; $9 *= 1000; $10 *= 1000; $12 = 777.77 } 1' "$results/ladder.csv" > "$work/changed"
mv "$work/changed" "$results/ladder.csv"
sed -i 's/^\(X1.*\),does not hold,/\1,holds,/' "$results/claims.csv"
rm "$results/charts/step2.svg"
expect "the page cannot be made again" "$repository/tools/page.sh" "$results"
expect "the ladder's table does not follow" grep -q '<code>Convolve_Block</code>.*>778<' <(lines_from_to ladder compare)
expect "the comparison's table does not follow" grep -q '<code>Convolve_Block</code>.*<strong>778</strong>' <(lines_from_to compare claims)
expect "the comparison's words do not follow" \
  grep -q "<li><code>Convolve_Block</code>: at width $width: 778 % here, " <(lines_from_to compare claims)
expect "the ledger does not follow" grep -q 'holds 2, not measurable here 1' "$page"
expect "step2 is not listed as missing" grep -q '<li>Step 2: ' <(lines_from_to missing device)
rm "$results/claims.csv"
expect "no page without a ledger" "$repository/tools/page.sh" "$results"
rm "$results/ladder.csv"
expect "a page without measurements" eval '! "$repository/tools/page.sh" "$results"'
expect "the last page is lost" test -s "$page"

# --- Was the machine quiet? -------------------------------------------------------------------------

intervals() { # HIGH...: a CSV with intervals from 1 to these
  echo "kernel,filter_width,median_ms,low_ms,high_ms"
  printf 'K,7,1,1,%s\n' "$@"
}
quiet() { awk -f "$repository/tools/quiet.awk" "$@"; }
intervals 1.1 1.19 1.1 1.9 > "$work/quiet.csv"
intervals 1.1 1.19 1.7 1.9 > "$work/loud.csv"
printf 'id,low,high\nX,1,9\n' > "$work/other.csv"
expect "a quiet machine is warned of" test -z "$(quiet "$work/quiet.csv" "$work/other.csv")"
expect "no warning of a loud machine" grep -q '2 of 4 .* K at width 7 (a factor of 1.9), K at width 7 (a factor of 1.7)\.' \
  <(quiet "$work/loud.csv" "$work/other.csv")

echo "$checks checks, $failures failures"
((failures == 0))
