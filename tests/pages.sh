#!/bin/bash
# results/index.html and the book, as ./tutorial makes them and a browser shows them: every chart and diff is there, nothing
# is fetched or cut off, every picture has a text, every link within the page leads somewhere.
#
#   pages.sh BUILD_DIR
# shellcheck disable=SC2016  # a shell that the test starts expands what stands in single quotes
set -uo pipefail
build=$(realpath "$1")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
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
  "$@" > /dev/null 2>&1 || report_failure "$what"
}
count() { grep -o -e "$1" "${@:2}" | wc -l; } # how often the pattern stands in the files
same() { # WHAT EXPECTED FOUND
  (($2 == $3 && $2 > 0)) || report_failure "$1: $3 instead of $2"
}

# A copy of the repository with the reference CPU's results; of its script the function that makes the pages.
mkdir -p "$work/copy/build/release"
cd "$work/copy" || exit 1
(cd "$repository" && tar -c --exclude=./{build,results,.git} .) | tar -x
ln -s "$build/report" build/release
mkdir results
cp plots/data/pocl-xeon/*.csv results
cp -r plots/charts/pocl-xeon results/charts
rm results/charts/step2.svg
cat > results/claims.csv << 'END'
id,statement,source,device,year,published,measured,low,high,verdict,basis
X1,"gains a quarter, or ""more""",made up,GPU <1>,2009,75 %,1.01,0.96,1.07,does not hold,ladder.csv
X2,gains a factor of three,made up,GPU 2,2011,2.9x,2.9421,2.80001,3.4,holds,chapter7.csv
END
sed '/^command=/,$d' tutorial > functions.sh
make_page() { bash -c 'source ./functions.sh && write_page "$@"' tutorial "$@"; }
make_page page index > "$work/out" 2> "$work/err" && make_page book book >> "$work/out" 2>> "$work/err"
expect "a page cannot be made, or a warning: $(head -n 1 "$work/err")" test ! -s "$work/err" -a -s results/book.html
expect "the pages are not named" grep -qx "$PWD/results/index.html" "$work/out"

# --- Everything is there ----------------------------------------------------------------------------

for chart in plots/charts/{h200,pocl-xeon}/*.svg; do
  name=$(basename "$chart" .svg)
  expect "report/charts.csv does not list $name" grep -qE "^$name(,|\$)" report/charts.csv <("$build/report" steps own)
done
same "charts of the page" "$(find results/charts -name '*.svg' | wc -l)" "$(count '<img ' results/index.html)"
expect "step2 is not listed as missing" grep -q '<li>Step 2: ' results/index.html
same "kernels in the page's two tables" $((2 * $(grep -v '^#' results/ladder.csv | sed '1d; s/,.*//' | sort -u | wc -l))) \
  "$(count '<td><code>[A-Z]' results/index.html)"
expect "the reference differs from itself" test "$(count '<strong>[0-9]' results/index.html)" == 0

mapfile -t chapters < <(find . -name '*.md' -not -path './results/*' | sort)
same "diffs in the book" "$(count '^ *```diff' "${chapters[@]}")" "$(count '<pre class="sourceCode diff">' results/book.html)"
same "folded answers in the book" "$(count '^ *<details' "${chapters[@]}")" "$(count '<details' results/book.html)"
yours=$(count '^<p>Your device, ' results/book.html)
same "pictures in the book" $(($(count '!\[' "${chapters[@]}") + yours)) "$(count '<img ' results/book.html)"
expect "the book lacks the reader's charts" test "$yours" -gt 10
sed 's/<[^>]*>//g' results/book.html > book.txt
for chapter in "${chapters[@]}"; do
  expect "the book lacks $chapter" grep -qF "$(sed -n 's/^# *//p; T; q' "$chapter" | tr -d '`')" book.txt
done
for page in results/{index,book}.html; do
  tr '\n' ' ' < "$page" > line.txt
  for text in 'gains a quarter, or &quot;more&quot;' 'GPU &lt;1&gt;' '<strong>does not hold</strong>' \
    '<td>2.94<small>2.80 to 3.40</small>' 'Of 2 claims: does not hold 1, holds 1.'; do
    expect "$page: the ledger does not say: $text" grep -qF "$text" line.txt
  done
done

# --- As a browser sees them -------------------------------------------------------------------------

cat > probe.html << 'END'
<script>
addEventListener('load', () => {
  const found = new Set();
  const window_width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > window_width) found.add('wider than the window');
  for (const element of document.querySelectorAll('body *')) {
    if (!element.closest('table, pre') && element.getBoundingClientRect().right > window_width + 1)
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
# A browser's window cannot be as narrow as a phone; a frame can.
echo '<body><pre id="report"></pre><script>
addEventListener("message", event => document.getElementById("report").append(event.data + "\n"));
</script>' > frames.html
for page in index book; do
  cat "results/$page.html" probe.html > "probe-$page.html"
  for width in 1280 390; do
    echo "<iframe src=\"probe-$page.html\" style=\"border: 0; width: ${width}px; height: 900px\"></iframe>" >> frames.html
  done
done
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=1400,900 \
  --virtual-time-budget=10000 --dump-dom "file://$PWD/frames.html" > seen.txt 2> "$work/err"
for width in 1280 390; do
  for page in index book; do
    expect "$(grep -o "$page.html at $width.\{0,400\}" seen.txt || tail -n 1 "$work/err")" grep -q "probe-$page.html at $width: ok" seen.txt
  done
done

# --- The page follows the measurements, and the last one stays ---------------------------------------

awk -F, -v OFS=, '$1 == "Convolve_Block" && $2 == 32 { $8 *= 1000; $9 *= 1000; $10 *= 1000; $12 = 777.77 } 1' results/ladder.csv > changed
mv changed results/ladder.csv
make_page page index > /dev/null
expect "a changed time does not show in the ladder, and in bold beside the reference's" \
  test "$(count '>778<' results/index.html)" == 2 -a "$(count '<strong>778</strong>' results/index.html)" == 1
rm results/ladder.csv
expect "a page without measurements" test "$(make_page page index 2> /dev/null || echo failed)" == failed
expect "the last page is lost" test -s results/index.html -a -s results/index.md

echo "$failures failures"
((failures == 0))
