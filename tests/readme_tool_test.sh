#!/bin/bash
# Does tools/readme.cpp find what is stale or broken, and leave alone what is right?
#
#   readme_tool_test.sh BUILD_DIR
# shellcheck disable=SC2016  # the dollars and backticks are Markdown
set -uo pipefail
shopt -s lastpipe  # complains() counts its failures, also behind a pipe
tool=$1/readme_tool
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

report_failure() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# A folder with data, kernels and a ./tutorial whose diffs are known.
mkdir -p "$work/plots/data" "$work/plots/published" "$work/step"
cp -r "$repository/tools" "$work"
cp "$repository/plots/published/claims.csv" "$work/plots/published"
cat > "$work/kernels.csv" <<'END'
kernel,step,file,parent
Convolve,1,convolution.cl,
Convolve_Unroll,2,convolution.cl,Convolve
END
cat > "$work/plots/data/cpu.csv" <<'END'
# device: a device
kernel,filter_width,median_ms,relative_percent,gpixels_per_s,x_floor
OpenCV,3,3.0,150,0.3,
Convolve_Unroll,3,2.2,110.0,0.45,5.0
Convolve_Unroll,7,9.0,90.0,0.0111,5.5
Convolve,3,2.0,100,0.5,4.0
Convolve,7,10.0,100,0.01,6.25
END
cat > "$work/plots/data/gpu.csv" <<'END'
kernel,filter_width,relative_percent,gpixels_per_s
Convolve,7,100,123.4
Convolve_Block,7,25,1234
END
cat > "$work/plots/data/edges.csv" <<'END'
kernel,filter_width,relative_percent
Smooth_Branches,3,100.00
Smooth_Padded,3,98.76
END
cat > "$work/plots/data/twice.csv" <<'END'
kernel,filter_width,median_ms,local_x
Convolve,7,10,16
Convolve,7,11,32
END
cat > "$work/plots/data/torn.csv" <<'END'
kernel,filter_width,median_ms
Convolve,7
END
cat > "$work/plots/published/facts.csv" <<'END'
id,device,quantity,value
1,Radeon HD 6970,"convolution, 7 x 7",2
1,GeForce GTX 480,ALU packing,unknown
2,GeForce GTX 480,,43.25
END
cat > "$work/step/convolution.cl" <<'END'
// The story of the file.

// A helper.
int twice(int a) { return 2 * a; }

// The story of the kernel.
__kernel void Convolve(int a) {
  a = twice(a);
}

// Another story.
__kernel void Convolve_Unroll(int a) {
}
END
cat > "$work/tutorial" <<'END'
#!/bin/bash
[[ $1 == diff && $2 != 99 ]] || { echo "no step '$2'" >&2; exit 1; }
printf -- '--- a\n+++ b\n-old of %s\n+new of %s\n' "$2" "${3-}"
END
chmod +x "$work/tutorial"

cat > "$work/step/README.md" <<'END'
# Step

## Exercises

### 1. Why, though?

Needs: a GPU (without one: read the chart). Teaches: one thing,
and another.

## Not an exercise

### 2. This
END

cat > "$work/good.md" <<'END'
# Good

<!-- begin: ./tutorial diff 3 host -->
```diff
--- a
+++ b
-old of 3
+new of host
```
<!-- end -->

<!-- begin: kernel step/convolution.cl Convolve_Unroll Convolve -->
```c
__kernel void Convolve_Unroll(int a) {
}

// A helper.
int twice(int a) { return 2 * a; }

__kernel void Convolve(int a) {
  a = twice(a);
}
```
<!-- end -->

<!-- begin: table data/cpu.csv relative_percent:1 3,7 Convolve_Unroll OpenCV -->
| % of `Convolve` at width | 3 | 7 |
|---|---:|---:|
| `Convolve_Unroll` | 110.0 | 90.0 |
| `OpenCV` | 150.0 | - |
<!-- end -->

<!-- begin: table data/cpu.csv median_ms all -->
| ms at width | 3 | 7 |
|---|---:|---:|
| `Convolve` | 2.00 | 10.0 |
| `Convolve_Unroll` | 2.20 | 9.00 |
| `OpenCV` | 3.00 | - |
<!-- end -->

<!-- begin: compare 7 gpixels_per_s,relative_percent:0 CPU=data/cpu.csv "a GPU=data/gpu.csv" -->
| kernel | CPU, Gpixel/s | CPU, % of `Convolve` | a GPU, Gpixel/s | a GPU, % of `Convolve` |
|---|---:|---:|---:|---:|
| `Convolve` | 0.0100 | 100 | 123 | 100 |
| `Convolve_Unroll` | 0.0111 | 90 | - | - |
| `Convolve_Block` | - | - | 1234 | 25 |
<!-- end -->

<!-- begin: compare 3 relative_percent 1920=data/edges.csv -->
| kernel | 1920, % of `Smooth_Branches` |
|---|---:|
| `Smooth_Branches` | 100 |
| `Smooth_Padded` | 98.8 |
<!-- end -->

<!-- begin: compare 7 x_floor:1 CPU=data/cpu.csv -- Convolve_Unroll -->
| kernel | CPU, x floor |
|---|---:|
| `Convolve_Unroll` | 5.5 |
<!-- end -->

<!-- begin: widths Convolve relative_percent:0 3,7 "AMD 2009=data/cpu.csv" GPU=data/gpu.csv -->
| % of `Convolve` at width | 3 | 7 |
|---|---:|---:|
| AMD 2009 | 100 | 100 |
| GPU | - | 100 |
<!-- end -->

<!-- begin: rows published/facts.csv "id=1|2,device=GeForce GTX 480" "device,quantity=what is measured" -->
| device | what is measured |
|---|---|
| GeForce GTX 480 | ALU packing |
| GeForce GTX 480 | - |
<!-- end -->

<!-- begin: rows data/gpu.csv kernel,gpixels_per_s:2 -->
| kernel | Gpixel/s |
|---|---:|
| `Convolve` | 123.40 |
| `Convolve_Block` | 1234.00 |
<!-- end -->

<!-- begin: exercises step -->
| exercise | needs | teaches |
|---|---|---|
| [step, 1. Why, though?](step/README.md#1-why-though) | a GPU | one thing, and another |
<!-- end -->

```
<!-- begin: in code -->
```
END
letters=$(printf 'ä%.0s' {1..160})
printf '%s\n' "$letters" "[a link](https://example.org/$letters)" "- ![a picture]($letters)." "[link]: $letters" \
  "| cell | $letters |" "<img src='$letters'>" '```' "code $letters" '```' >> "$work/good.md"
{
  printf '<!-- begin: kernel step/convolution.cl -->\n```c\n'
  cat "$work/step/convolution.cl"
  printf '```\n<!-- end -->\n'
} >> "$work/good.md"
cp "$work/good.md" "$work/fresh.md"
"$tool" --root "$work" --check fresh.md 2> "$work/log" || report_failure "good.md: $(cat "$work/log")"
"$tool" --root "$work" fresh.md > /dev/null || report_failure "refreshing good.md fails"
diff "$work/good.md" "$work/fresh.md" || report_failure "refreshing changes a fresh file"

# Stale parts are found, and refreshed.
sed 's/old of 3/old/; s/| 110.0/| 13/; /int twice/d' "$work/good.md" > "$work/stale.md"
cp "$work/stale.md" "$work/checked.md"
"$tool" --root "$work" --check checked.md 2> "$work/log" && report_failure "a stale file passes"
for line in '3: stale: ./tutorial diff 3 host' '12: stale: kernel step/' '25: stale: table data/cpu.csv relative'; do
  grep -qF "checked.md:$line" "$work/log" || report_failure "not found: $line"
done
cmp -s "$work/stale.md" "$work/checked.md" || report_failure "--check changes the file"
"$tool" --root "$work" stale.md > /dev/null || report_failure "refreshing stale.md fails"
diff "$work/stale.md" "$work/good.md" || report_failure "refreshed stale.md is not good.md"

# complains LINE TEXT: --check of stdin names that line with that text and exits 1; nothing is written.
complains() {
  local status
  cat > "$work/bad.md"
  cp "$work/bad.md" "$work/before.md"
  for option in --check ''; do
    # shellcheck disable=SC2086  # no option at all
    "$tool" --root "$work" $option bad.md > "$work/log" 2>&1
    status=$?
    ((status == 1)) || report_failure "exit status $status, not 1, where it should say: $2"
    grep -F -- "bad.md:$1: " "$work/log" | grep -qF -- "$2" || report_failure "no '$2' in: $(cat "$work/log")"
    cmp -s "$work/bad.md" "$work/before.md" || report_failure "changes a file where it should say: $2"
  done
}

# block COMMAND MESSAGE: a block with this command gives this message.
block() {
  printf '# Title\n\n<!-- begin: %s -->\n<!-- end -->\n' "$1" | complains 3 "$2"
}
block './tutorial diff 99' "no step '99'"
block './tutorial run' "'./tutorial run' is not a command"
block './tutorial diff 3; touch hacked' "is not a command"
block 'kernel step/none.cl Convolve' "step/none.cl cannot be read"
block 'kernel step/none.cl' "step/none.cl cannot be read"
block 'kernel step/convolution.cl Convolve_Foo' "step/convolution.cl: no kernel Convolve_Foo"
block 'kernel step/convolution.cl $(touch hacked)' "is not a command"
block 'table data/cpu.csv median_ms all Convolve_Foo' 'no value for `Convolve_Foo`'
block 'table data/cpu.csv median_ms 3,5' "no value under '5'"
block 'table data/cpu.csv median_ms 9' "no value under"
block 'table data/cpu.csv max_ms 3' "plots/data/cpu.csv: no column 'max_ms'"
block 'table data/none.csv median_ms all' "plots/data/none.csv cannot be read"
block 'table data/cpu.csv' "is not a command"
block "table data/cpu.csv median_ms 7'; touch hacked'" "is not a command"
block 'table data/cpu.csv median_ms:two 3' "'median_ms:two' is not COLUMN"
block 'table data/twice.csv median_ms all' "several rows of Convolve at width 7"
block 'table data/torn.csv median_ms all' "a row with 2 fields under 3 columns"
block 'table published/facts.csv value all' "no column 'filter_width'"
block 'compare 7 max_ms CPU=data/cpu.csv' "no value"
block 'compare 7 median_ms CPU=data/cpu.csv -- Convolve_Foo' 'no value for `Convolve_Foo`'
block 'compare 5 median_ms CPU=data/cpu.csv' "no value"
block 'widths Convolve median_ms 7 CPU=data/none.csv' "cannot be read"
block 'widths Convolve_Unroll relative_percent 7 CPU=data/cpu.csv GPU=data/gpu.csv' "no value for GPU"
block 'rows published/facts.csv id=3 value' "no row with id=3"
block 'rows published/facts.csv id=1|3 value' "no row with id=3"
block 'rows published/facts.csv id=2,device=Radeon value' "no row with device=Radeon"
block 'rows published/facts.csv "id=2,device=Radeon HD 6970" value' "no row with id=2,device=Radeon HD 6970"
block 'rows published/facts.csv id value' "'id' is not of the form"
block 'rows published/facts.csv max' "no column 'max'"
block 'rows published/facts.csv value:1' "'unknown' is not a number"
block 'claims CPU=data/none' "data/none: no CSV that a claim is about"
block 'claims data' "data: no CSV that a claim is about"
block 'claims CPU=$(touch hacked)' "is not a command"
block 'exercises none' "none/README.md"
block 'exercises $(touch hacked)' "is not a command"
block 'mean data/cpu.csv' "is not a command"
[[ ! -e $work/hacked ]] || report_failure "a shell command in a README runs"
printf '# Title\n\n<!-- end -->\n' | complains 3 "<!-- end --> without"
printf '# Title\n\n<!-- begin: ./tutorial diff 3 -->\n' | complains 3 "without <!-- end -->"
printf '<!-- begin: ./tutorial diff 3 -->\n<!-- begin: ./tutorial diff 4 -->\n<!-- end -->\n' | complains 1 "without <!-- end -->"
printf '# Title\n\n```\ncode\n' | complains 4 "a code fence without an end"

# Prose, which only --check looks at.
prose() { # LINE MESSAGE
  printf '# Title\n\n%s\n' "$1" > "$work/prose.md"
  "$tool" --root "$work" prose.md > "$work/log" 2>&1 || report_failure "refreshing fails: $1"
  "$tool" --root "$work" --check prose.md 2> "$work/log" && report_failure "passes: $1"
  grep -qF -- "prose.md:3: $2" "$work/log" || report_failure "no '$2' in: $(cat "$work/log")"
}
prose "${letters}x" "161 characters, more than 160"
prose "See [a link](https://example.org/$letters) for more" "203 characters, more than 160"
prose 'It takes <!--= value data/cpu.csv Convolve 7 median_ms -->10<!--/--> ms.' "a marker of a measured number"
prose '<!-- measured -->' "a marker of a measured number"
prose '<!-- /measured -->' "a marker of a measured number"

# Without a file name, all Markdown files count, in folders too; but not what a build left behind.
mkdir -p "$work/all/step1" "$work/all/build"
echo '<!-- end -->' > "$work/all/step1/README.md"
"$tool" --root "$work/all" --check 2> "$work/log" && report_failure "step1/README.md passes"
grep -qF 'step1/README.md:1:' "$work/log" || report_failure "step1/README.md was not found"
mv "$work/all/step1/README.md" "$work/all/build/"
"$tool" --root "$work/all" --check || report_failure "build/ was looked into"
"$tool" --check --root "$work" none.md 2> /dev/null && report_failure "a missing file passes"

echo "$failures failures"
((failures == 0))
