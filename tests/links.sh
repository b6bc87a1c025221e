#!/usr/bin/env bash
# Does every relative link of the Markdown files lead somewhere: is the file there, and in it the heading or id?
# And are the lines that opencl/README.md quotes lines of the sources?
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files --cached --others --exclude-standard)
mapfile -t pages < <(printf '%s\n' "${files[@]}" | grep '\.md$')

# The first pass over the pages collects the anchors, the second one follows the links.
printf '%s\n' "${files[@]}" | awk '
  # The anchor that GitHub makes of a heading; the second of the same name gets -1, the third -2.
  function anchor(heading,   count) {
    gsub(/\]\([^)]*\)/, "", heading)  # of a link its text
    heading = tolower(heading)
    gsub(/[^a-z0-9_ -]/, "", heading)
    gsub(/ /, "-", heading)
    count = seen[FILENAME, heading]++
    return count ? heading "-" count : heading
  }
  function complain(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what
    broken = 1
  }
  # target: path#anchor, where either may be missing.
  function follow(target,   path, id, parts, count, i, depth) {
    if (target ~ /^[a-z]+:/) return  # a web address
    path = target
    sub(/#.*/, "", path)
    id = target ~ /#/ ? substr(target, index(target, "#") + 1) : ""
    if (path == "") {
      path = FILENAME
    } else {
      count = split(FILENAME "/../" path, parts, "/")
      for (i = 1; i <= count; ++i) {
        if (parts[i] == "..") --depth
        else if (parts[i] != "" && parts[i] != ".") kept[++depth] = parts[i]
      }
      path = kept[1]
      for (i = 2; i <= depth; ++i) path = path "/" kept[i]
    }
    if (!(path in exists)) complain("no file " path " (" target ")")
    else if (id != "" && path ~ /\.md$/ && !((path, id) in anchors)) complain("no heading for " target)
  }
  FILENAME == "-" {
    exists[$0] = 1
    while (sub(/\/[^\/]*$/, "")) exists[$0] = 1  # its folders
    next
  }
  FNR == 1 {
    code = 0
    if (FILENAME in read) second = 1
    read[FILENAME] = 1
  }
  /^ *```/ { code = !code }
  code { next }
  !second && /^#+ / {
    sub(/^#+ +/, "")
    anchors[FILENAME, anchor($0)] = 1
  }
  !second && /^\[[^]]*\]: / { labels[FILENAME, tolower(substr($0, 2, index($0, "]") - 2))] = 1 }
  !second {
    for (text = $0; match(text, /<a id="[^"]*">/); text = substr(text, RSTART + RLENGTH))
      anchors[FILENAME, substr(text, RSTART + 7, RLENGTH - 9)] = 1
    next
  }
  {
    gsub(/`[^`]*`|<!-- expect:.*-->/, "")
    for (text = $0; match(text, /\]\([^)]*\)/); text = substr(text, RSTART + RLENGTH))
      follow(substr(text, RSTART + 2, RLENGTH - 3))
    if (sub(/^\[[^]]*\]: */, "")) {
      follow($0)
      next
    }
    # [text][label] and [label], in prose only: four spaces begin code
    if (/^    /) next
    for (text = $0; match(text, /\[[^][]*\](\[[^][]+\]|\()?/); text = substr(text, RSTART + RLENGTH)) {
      label = substr(text, RSTART, RLENGTH)
      if (label ~ /\($/) continue
      gsub(/^.*\[|\]$/, "", label)
      if (!((FILENAME, tolower(label)) in labels)) complain("no link [" label "]")
    }
  }
  END { exit broken }
' - "${pages[@]}" "${pages[@]}"

# Quoted lines, from code blocks that are not generated.
awk '/^<!-- begin/ { made = 1 } /^<!-- end/ { made = 0 } /^```/ { code = !code; next } code && !made' opencl/README.md |
  sed 's/^ *//' | while read -r line; do
    git grep -qF "$line" -- '*.cpp' '*.cl' || {
      echo "opencl/README.md: no source has the line $line"
      exit 1
    }
  done
