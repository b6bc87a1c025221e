# The table and the CSV of xray.sh, from what the program printed and what the plugin counted.
#
#   awk -v program=NAME -v group=32x4 -v warp=32 -v csv=FILE -v launches=FILE -f table.awk OUTPUT COUNTS
#
# OUTPUT names the kernels in the order of their launches, COUNTS has one line for each launch. `launches` gets one line
# for each: kernel, filter width, work-group.
FNR == NR && $1 == "image" { width = $(NF - 2); height = $NF }
FNR == NR && $1 == "width" && $3 != "OpenMP" && !/ skipped: / { kernel[++kernels] = $3; taps[kernels] = $2 }
# "PROGRAM: KERNEL, filter width 7: wrong at ..."
FNR == NR && $1 == program ":" && $3 == "filter" { kernel[++kernels] = substr($2, 1, length($2) - 1); taps[kernels] = $5 + 0 }
FNR == NR { next }

FNR == 1 {
  pixels = width * height
  columns = split("kernel filter_width width height group multiply_adds other_arithmetic input_loads input_bytes " \
    "tap_loads tap_bytes local_loads local_bytes local_stores private_loads private_stores stores store_bytes branches reuse " \
    "sectors least_sectors conflicts worst_conflict", column, " ")
  if (csv) {
    print "# program: " program "\n# size: " width " x " height "\n# work_group: " group "\n# warp: " warp > csv
    print_row("column")
  }
  print "Per pixel, " width " x " height " of them; work-groups of " group " where the program names none."
  line = "%-28s %5s %6s %6s %6s %6s %5s %5s %5s\n"
  printf line, "", "mult.", "inputs", "taps", "local", "", "", "sec-", "bank"
  printf line, "kernel", "-adds", "loaded", "loaded", "loaded", "branch", "reuse", "tors", "words"
}

{
  delete total
  for (i = 1; i <= NF; ++i) { split($i, part, "="); total[part[1]] = part[2] }
  value["kernel"] = kernel[FNR]
  value["filter_width"] = taps[FNR]
  value["width"] = width
  value["height"] = height
  value["group"] = total["group_x"] "x" total["group_y"]
  split("multiply_adds other_arithmetic input_loads input_bytes tap_loads tap_bytes local_loads local_bytes " \
    "local_stores private_loads private_stores stores store_bytes branches", per_pixel, " ")
  for (i in per_pixel) value[per_pixel[i]] = sprintf("%.4g", total[per_pixel[i]] / pixels)
  value["reuse"] = ratio(total["input_bytes"], total["distinct_bytes"])
  value["sectors"] = ratio(total["sectors"], total["warp_loads"])
  value["least_sectors"] = ratio(total["least_sectors"], total["warp_loads"])
  value["conflicts"] = ratio(total["conflicts"], 1)
  value["worst_conflict"] = ratio(total["worst_conflict"], 1)
  print value["kernel"], value["filter_width"], value["group"] > launches
  if (csv) print_row("value")
  printf line, value["kernel"], brief("multiply_adds"), brief("input_loads"), brief("tap_loads"), brief("local_loads"),
    brief("branches"), brief("reuse"), brief("sectors"), brief("conflicts")
}

END {
  if (FNR != kernels || !kernels) {
    print "xray: " kernels + 0 " kernels named, " FNR " launches recorded" > "/dev/stderr"
    exit 1
  }
}

function ratio(a, b) { return b && a ? sprintf("%.4g", a / b) : "" }

# At most five characters.
function brief(name,   text) {
  text = value[name] + 0
  if (text == 0) return "-"
  return text >= 1000 ? sprintf("%.0f", text) : text >= 100 ? sprintf("%.4g", text) : sprintf("%.3g", text)
}

function print_row(what,   i) {
  for (i = 1; i <= columns; ++i)
    printf "%s%s", what == "value" ? value[column[i]] : column[i], i < columns ? "," : "\n" > csv
}
