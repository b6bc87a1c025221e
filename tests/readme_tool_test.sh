#!/bin/bash
# Does tools/readme.cpp find what is stale or made up, and leave alone what is right?
#
#   readme_tool_test.sh BUILD_DIR
set -uo pipefail
tool=$1/readme_tool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

report_failure() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# A folder with data and a ./tutorial whose diffs are known.
mkdir -p "$work/plots/data/pocl" "$work/plots/published"
cat > "$work/plots/data/pocl/ladder.csv" <<'END'
# device: a device
kernel,filter_width,width,height,median_ms,relative_percent,gpixels_per_s
Convolve,3,64,64,2.0,100,0.5
Convolve,7,64,64,10.0,100,0.1
Convolve,16,64,64,40.0,100,0.025
Convolve_Unroll,3,64,64,2.2,110.0,0.45
Convolve_Unroll,7,64,64,9.0,90.0,0.111
Convolve_Unroll,16,64,64,29.84,74.6,0.0335
Convolve_Tile,7,64,64,1.25,12.5,0.8
END
cat > "$work/plots/published/facts.csv" <<'END'
id,device,quantity,value,source
C7.5,Radeon HD 6970,"convolution, 7 x 7",2,ch. 7
C7.6,Radeon HD 6970,ALU packing,43,ch. 7
C7.6,GeForce GTX 480,ALU packing,unknown,ch. 7
END
cat > "$work/tutorial" <<'END'
#!/bin/bash
[[ $1 == diff && $2 != 99 ]] || { echo "no step '$2'" >&2; exit 1; }
printf -- '--- a\n+++ b\n-old of %s\n+new of %s\n' "$2" "${3-}"
END
chmod +x "$work/tutorial"

# write NAME: makes a Markdown file of stdin.
write() {
  cat > "$work/$1"
}

# passes FILE: --check has nothing to say, and refreshing changes nothing.
passes() {
  local before
  before=$(cat "$work/$1")
  "$tool" --root "$work" --check "$1" > "$work/log" 2>&1 ||
    report_failure "$1: --check fails: $(cat "$work/log")"
  "$tool" --root "$work" "$1" > "$work/log" 2>&1 || report_failure "$1: refreshing fails"
  [[ $(cat "$work/$1") == "$before" ]] || report_failure "$1: refreshing changes a fresh file"
}

# complains FILE LINE TEXT: --check names that line with that text, exits 1, and writes nothing.
complains() {
  local before status
  before=$(cat "$work/$1")
  "$tool" --root "$work" --check "$1" > "$work/log" 2>&1
  status=$?
  ((status == 1)) || report_failure "$1: --check exits $status, not 1"
  grep -F -- "$1:$2: " "$work/log" | grep -qF -- "$3" ||
    report_failure "$1:$2: no '$3' in: $(cat "$work/log")"
  [[ $(cat "$work/$1") == "$before" ]] || report_failure "$1: --check changes the file"
}

# one_line TEXT MESSAGE: this line of prose gives this message.
one_line() {
  printf '# Title\n\n%s\n' "$1" | write line.md
  complains line.md 3 "$2"
}

# guarded TEXT: under a guarded heading this text gives 'number without data'.
guarded() {
  printf '# Title\n\n## What you should see\n\n%s\n' "$1" | write guarded.md
  complains guarded.md 5 "number without data"
}

# unguarded TEXT: there, this text is fine.
unguarded() {
  printf '# Title\n\n## What you should see\n\n%s\n' "$1" | write unguarded.md
  passes unguarded.md
}

write good.md <<'END'
# Good

Outside of the guarded sections one may say 3 ms.

<!-- begin: ./tutorial diff 3 host -->
```diff
--- a
+++ b
-old of 3
+new of host
```
<!-- end -->

<!-- begin: table data/pocl/ladder.csv relative_percent:1 3,7 Convolve_Unroll Convolve_Tile -->
| kernel | 3 | 7 |
|---|---:|---:|
| `Convolve_Unroll` | 110.0 | 90.0 |
| `Convolve_Tile` | - | 12.5 |
<!-- end -->

## What you should see

At 16 it takes <!--= value data/pocl/ladder.csv Convolve_Unroll 16 relative_percent -->75<!--/--> % of the time,
a factor of <!--= ratio data/pocl/ladder.csv Convolve Convolve_Tile 7 -->8.0<!--/-->x,
between <!--= min data/pocl/ladder.csv Convolve_Unroll relative_percent -->74.6<!--/--> and
<!--= max data/pocl/ladder.csv Convolve_Unroll relative_percent -->110<!--/--> %, from
<!--= argmax data/pocl/ladder.csv Convolve_Unroll relative_percent 3 7 -->3<!--/--> to
<!--= argmin data/pocl/ladder.csv Convolve_Unroll relative_percent -->16<!--/-->,
and <!--= max data/pocl/ladder.csv Convolve_Unroll relative_percent 4 32 -->90<!--/-->% there. The book has
<!--= cell published/facts.csv id=C7.5,device=Radeon HD 6970 value -->2<!--/--> Gpixel/s.

- a 7 x 7 filter on 2048x2048 and 16 x 16 work-items, 2048 x 2048 pixels, step 4's kernel
- `--time-budget 5 s`, [a link](https://example.org/7%20ms/3x), <https://example.org/3%>, float4
- 48 KiB, 2.6 GHz, widths 16, 17, 18, 49 multiply-adds per output pixel, 100 % is `Convolve`

```
3 ms, 4 x faster
```

## Exercises

In 3 ms? `<!--= this is no number -->`

<!-- measured -->
Only <!--= value data/pocl/ladder.csv Convolve 3 median_ms -->2.0<!--/--> ms.
<!-- /measured -->
END
passes good.md

# Stale parts are found, and refreshed.
sed 's/old of 3/old/; s/| 12.5/| 13/; s/-->75</-->74</; s/-->8.0</-->7.95</' "$work/good.md" | write stale.md
complains stale.md 5 "stale: ./tutorial diff 3 host"
complains stale.md 14 "stale: table data/pocl/ladder.csv"
complains stale.md 23 "stale: value data/pocl/ladder.csv Convolve_Unroll 16 relative_percent is 75, not 74"
complains stale.md 24 "stale: ratio data/pocl/ladder.csv Convolve Convolve_Tile 7 is 8.00, not 7.95"
"$tool" --root "$work" stale.md > /dev/null || report_failure "refreshing stale.md fails"
diff <(sed 's/-->8.00</-->8.0</' "$work/stale.md") "$work/good.md" || report_failure "refreshed stale.md is not good.md"

# What only the author can mend.
number() {
  echo "<!--= $1 -->${2-7}<!--/-->"
}
one_line "$(number 'value data/pocl/ladder.csv Convolve_Foo 7 median_ms')" "data/pocl/ladder.csv: no row with kernel=Convolve_Foo"
one_line "$(number 'value data/pocl/ladder.csv Convolve 8 median_ms')" "data/pocl/ladder.csv: no row"
one_line "$(number 'value data/pocl/ladder.csv Convolve 7 max_ms')" "data/pocl/ladder.csv: no column 'max_ms'"
one_line "$(number 'value data/pocl/none.csv Convolve 7 median_ms')" "plots/data/pocl/none.csv cannot be read"
one_line "$(number 'min data/pocl/ladder.csv Convolve_Foo median_ms')" "no row of kernel Convolve_Foo"
one_line "$(number 'min data/pocl/ladder.csv Convolve median_ms 20 30')" "no row of kernel Convolve at these widths"
one_line "$(number 'cell published/facts.csv id=C7.6 value')" "published/facts.csv: more than one row with id=C7.6"
one_line "$(number 'cell published/facts.csv device=GeForce GTX 480 value')" "'unknown' in column value is not a number"
one_line "$(number 'cell published/facts.csv C7.6 value')" "'C7.6' is not of the form KEY=VALUE"
one_line "$(number 'mean data/pocl/ladder.csv Convolve median_ms')" "unknown expression"
one_line "$(number 'value data/pocl/ladder.csv Convolve 7 median_ms' many)" "'many' is not a number"
one_line "<!--= value data/pocl/ladder.csv Convolve 7 median_ms -->10" "not of the form"
one_line "<!-- end -->" "<!-- end --> without"
one_line "<!-- /measured -->" "<!-- /measured --> out of place"
printf '# Title\n\n<!-- measured -->\n' | write line.md && complains line.md 4 "<!-- measured --> without"
printf '# Title\n\n```\ncode\n' | write line.md && complains line.md 5 "a code fence without an end"

block() {
  printf '# Title\n\n<!-- begin: %s -->\n<!-- end -->\n' "$1" | write block.md
  complains block.md 3 "$2"
}
block './tutorial diff 99' "'./tutorial diff 99' fails: no step '99'"
block './tutorial run' "'./tutorial run' is no ./tutorial diff"
block './tutorial diff 3; touch hacked' "is no ./tutorial diff"
block 'table data/pocl/ladder.csv median_ms all Convolve_Foo' "no kernel Convolve_Foo"
block 'table data/pocl/ladder.csv median_ms 3,5' "no filter width 5"
block 'table data/pocl/none.csv median_ms all' "cannot be read"
block 'table data/pocl/ladder.csv' "not of the form: table"
block 'table data/pocl/ladder.csv median_ms:two 3' "is not COLUMN[:DECIMALS]"
printf '# Title\n\n<!-- begin: ./tutorial diff 3 -->\n' | write line.md && complains line.md 3 "without <!-- end -->"

# The guard.
guarded 'It takes 74 % of the time.'
guarded 'It takes 74% of the time.'
guarded 'It takes 12.5 percent of the time.'
guarded 'It is 2.4x faster.'
guarded 'It is 2.4 x faster.'
guarded 'It is 2.4× faster.'
guarded 'It is 3 times as fast.'
guarded 'It takes 3 ms.'
guarded 'It takes 3ms.'
guarded 'A 3-ms kernel.'
guarded 'It takes 250 µs.'
guarded 'It takes 0.25 s.'
guarded 'It takes 5 minutes.'
guarded 'It reaches 2 Gpixel/s.'
guarded 'It reaches 4 G multiply-adds/s.'
guarded 'It reaches 4 G multiply-adds a second.'
guarded 'It reaches 900 GB/s.'
guarded 'It reaches 13.6 TFLOP/s.'
guarded 'It takes 3&nbsp;ms.'
guarded $'It takes 74\n% of the time.'
guarded "From 74 to $(number 'value data/pocl/ladder.csv Convolve 7 median_ms' 10) %."
guarded "From $(number 'value data/pocl/ladder.csv Convolve 7 median_ms' 10) to 92 %."
guarded 'At width 13, **74 %**.'
guarded '[74 %](chart.svg) of the time.'
guarded '### Why it is 2.4x faster'
printf '# T\n\n## What you should see\n\n### More\n\n3 ms\n' | write sub.md && complains sub.md 7 "number without data: '3 ms'"
printf '# T\n\n## When it does not help\n\n3 ms\n' | write sub.md && complains sub.md 5 "number without data: '3 ms'"
printf '# T\n\n<!-- measured -->\n3 ms\n<!-- /measured -->\n' | write sub.md && complains sub.md 4 "number without data: '3 ms'"
printf '# T\n\n## What you should see\n\n| width | time (ms) |\n|---|---|\n| 7 | 3.1 |\n' | write sub.md && complains sub.md 7 "number without data: '3.1'"
printf '# T\n\n## What you should see\n\n| a | b |\n|---|---|\n| time, ms | 3.1 |\n' | write sub.md && complains sub.md 7 "number without data: '3.1'"
printf '# T\n\n## What you should see\n\n| a | b |\n|---|---|\n| 7 | 3.1 ms |\n' | write sub.md && complains sub.md 7 "number without data: '3.1 ms'"
unguarded $'| width | pixels |\n|---|---|\n| 7 | 3 |'
unguarded $'| width | time (ms) |\n|---|---|\n| 7 | '"$(number 'value data/pocl/ladder.csv Convolve 7 median_ms' 10)"' |'
unguarded "At width 13, $(number 'value data/pocl/ladder.csv Convolve 7 median_ms' 10) %."
unguarded 'A 7 x 7 filter, 2048 x 2048, 16x16, 3 x 3 x 3.'
unguarded $'In code: `3 ms` and ``4 x ` faster``.\n\n## Next\n\n3 ms'

# Without a file name, all Markdown files count, in folders too; but not what a build left behind.
mkdir -p "$work/all/step1" "$work/all/build"
echo '<!-- end -->' > "$work/all/step1/README.md"
"$tool" --root "$work/all" --check 2> "$work/log" && report_failure "step1/README.md passes"
grep -qF 'step1/README.md:1:' "$work/log" || report_failure "step1/README.md was not found"
mv "$work/all/step1/README.md" "$work/all/build/"
"$tool" --root "$work/all" --check || report_failure "build/ was looked into"
"$tool" --check --root "$work" none.md 2>/dev/null && report_failure "a missing file passes"

echo "$failures failures"
((failures == 0))
