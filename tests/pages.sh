#!/bin/bash
# results/index.html and the book, as ./tutorial makes them and a browser shows them: every chart and diff is there,
# nothing is fetched or cut off, every picture has a text, every link leads to a heading, an id or a file.
source "$(dirname "$0")/checks.bash"
command -v pandoc > /dev/null || { echo "pandoc is not installed"; exit 77; }

count() { grep -o -e "$1" "${@:2}" | wc -l; } # how often the pattern stands in the files
same() { expect "$1: $3 instead of $2" test "$2" == "$3" -a "$2" != 0; } # WHAT EXPECTED FOUND

# A copy of the repository with the reference CPU's results; of its script the functions that make the pages.
mkdir -p copy/build/release
cd copy || exit 1
(cd "$repository" && tar -c --exclude=./{build,results,.git} .) | tar -x
ln -s "$build/tutorial" build/release
mkdir results
cp plots/data/pocl-epyc/*.csv results
cp -r plots/charts/pocl-epyc results/charts
sed '/^command=/,$d' tutorial > functions.sh
pages() { bash -c 'source ./functions.sh && results_page && book'; }
pages > ../out 2> ../err
expect "the pages are not made, or with a warning: $(head -n 1 ../err)" test ! -s ../err -a "$(grep -c "^$PWD/results/" ../out)" == 2

# --- Everything is there ----------------------------------------------------------------------------

same "pictures of the page, a filter's effect and the charts" $(($(find results/charts -name '*.svg' | wc -l) + 1)) "$(count '<img \|<svg ' results/index.html)"
mapfile -t chapters < <(find . -name '*.md' ! -name page.md | sort)
broken=$(grep -nE '^<!-- = ' "${chapters[@]}")
expect "a figure at a line's start ends the paragraph before it: $broken" test -z "$broken"
same "rows beside the reference" 5 "$(sed -n '/^## Is that normal/,/^<details/p' results/index.md | grep -c '^| [A-Z]')"
same "diffs in the book" "$(count '^ *```diff' "${chapters[@]}")" "$(count '<pre class="sourceCode diff">' results/book.html)"
same "folded answers in the book" "$(count '^ *<details' "${chapters[@]}")" "$(count '<details' results/book.html)"
expect "a page without contents" test "$(count '<nav id="TOC"' results/index.html results/book.html)" == 2
yours=$(count 'alt="the same chart"' results/book.html)
same "pictures in the book" $(($(grep -hv "^    " "${chapters[@]}" | count '!\[') + yours)) "$(count '<img \|<svg ' results/book.html)"
expect "the book lacks the reader's charts" test "$yours" -gt 10

grep -oP ' id="[^"]*"' results/book.html > ids
while read -r link; do
  expect "a link to nothing: $link" grep -qF "id=\"${link#\#}\"" ids
done < <(grep -oP ' href="\K#[^"]*' results/book.html)
while read -r file; do
  expect "a link to no file: $file" test -e "${file%%#*}"
done < <(grep -oP '<a title="\K[^"]*' results/book.html)
labels=$(grep -E '^<(p|li|td)' results/book.html | sed 's|<code>[^<]*</code>||g; s/<[^>]*>//g' | grep -oE '\[[a-z -]{3,}\]')
expect "labels without a link: $labels" test -z "$labels"

# --- As a browser sees them -------------------------------------------------------------------------

command -v chromium > /dev/null || { echo "chromium is not installed; $failures failures"; exit $((failures ? 1 : 77)); }
cat > probe.html << 'END'
<script>
addEventListener('load', () => {
  const found = new Set();
  const scrolls = location.pathname.includes('index') ? 'details table, pre, .chart' : 'table, pre, .chart';
  const window_width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > window_width) found.add('wider than the window');
  for (const element of document.querySelectorAll('body *')) {
    if (!element.closest(scrolls) && !element.ownerSVGElement &&
        (element.getBoundingClientRect().right > window_width + 1 || element.tagName == 'TABLE' && element.scrollWidth > element.clientWidth))
      found.add('cut off: ' + element.tagName + ' ' + element.textContent.slice(0, 40));
  }
  for (const chart of document.querySelectorAll('.chart :is(img, svg)'))
    if (chart.getBoundingClientRect().width < 640) found.add('a chart too small to be read');
  for (const image of document.images) {
    if (!image.alt.trim()) found.add('a picture without a text');
    if (!image.complete || !image.naturalWidth) found.add('a picture is not shown: ' + image.alt);
  }
  for (const code of document.querySelectorAll('pre > code'))
    if (getComputedStyle(code).whiteSpace != 'pre') found.add('columns may break: ' + code.textContent.slice(0, 40));
  for (const element of document.querySelectorAll('[src], link[href]'))
    if (!(element.getAttribute('src') ?? element.getAttribute('href')).startsWith('data:')) found.add('fetched: ' + element.outerHTML.slice(0, 60));
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
browser() { # MILLISECONDS ARGS
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=1400,900 \
    --virtual-time-budget="$1" "${@:2}" 2> "$work/err"
}
browser 10000 --dump-dom "file://$PWD/frames.html" > seen.txt
for width in 1280 390; do
  for page in index book; do
    expect "$(grep -o "$page.html at $width.\{0,400\}" seen.txt || tail -n 1 "$work/err")" grep -q "probe-$page.html at $width: ok" seen.txt
  done
done

finish
