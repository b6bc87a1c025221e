# The table and the CSV of xray.sh, from what the program printed and what the plugin counted.
#
#   awk -v program=NAME -v helpers="KERNEL:HELPER ..." -v simulator=NAME -v group=32x4 -v warp=32 -v csv=FILE -v launches=FILE -f table.awk OUTPUT COUNTS
#
# OUTPUT names the kernels in the order of their launches, each without its helpers; COUNTS has one line for each launch,
# of a helper too. `launches` gets one line
# for each: kernel, filter width, work-group.
BEGIN {
  counts = split("multiply_adds multiply_add_instructions other_arithmetic comparisons selects min_max " \
    "min_max_instructions input_loads input_bytes tap_loads tap_bytes local_loads local_bytes local_stores " \
    "private_loads private_stores stores store_bytes branches", count, " ")
  helper_count = split(helpers, helper, " ")
  line = "%-26s %5s %5s %5s %5s %5s %5s %5s %5s %5s\n"
}

# What the program says: "image   test card, 128 x 32", "width  7  Convolve   ok, ..." and, of a wrong result,
# "PROGRAM: Convolve, filter width 7: wrong at ...".
FNR == NR && $1 == "image" { width = $(NF - 2); height = $NF }
FNR == NR && $1 == "width" && $3 != "OpenMP" && !/ skipped: / { name_launch($3, $2) }
FNR == NR && $1 == program ":" && $3 == "filter" { name_launch(substr($2, 1, length($2) - 1), $5 + 0) }
FNR == NR { next }

FNR == 1 {
  text = "kernel,filter_width,width,height,group"
  for (i = 1; i <= counts; ++i) text = text "," count[i]
  if (csv) {
    print "# program: " program "\n# simulator: " simulator "\n# size: " width " x " height > csv
    print "# work_group: " group "\n# warp: " warp > csv
    print text ",reuse,sectors,least_sectors,conflicts,worst_conflict" > csv
  }
  # The median and edge_conditions have no filter.
  filters = $0 ~ /multiply_adds/
}

{
  delete total
  for (i = 1; i <= NF; ++i) { split($i, part, "="); total[part[1]] = part[2] }
  shape = total["group_x"] "x" total["group_y"]
  text = kernel[FNR] "," taps[FNR] "," width "," height "," shape
  for (i = 1; i <= counts; ++i) text = text "," sprintf("%.4g", total[count[i]] / (width * height))
  reuse = ratio(total["input_bytes"], total["distinct_bytes"])
  sectors = ratio(total["sectors"], total["warp_loads"])
  conflicts = ratio(total["conflicts"], 1)
  if (csv)
    print text "," reuse "," sectors "," ratio(total["least_sectors"], total["warp_loads"]) "," conflicts "," \
      ratio(total["worst_conflict"], 1) > csv
  if (shape != group && index(named ", ", " " shape ", ") == 0) named = named (named ? ", " : " ") shape
  if (filters && taps[FNR] != taps[FNR - 1]) rows = rows "Filter width " taps[FNR] "\n"
  name = kernel[FNR]
  if (length(name) > 26) { rows = rows name "\n"; name = "" }
  rows = rows sprintf(line, name, per_pixel(filters ? "multiply_adds" : "min_max"), per_pixel("input_loads"),
    per_pixel(filters ? "tap_loads" : "comparisons"), per_pixel("local_loads"),
    per_pixel("branches"), per_pixel("other_arithmetic"), brief(reuse), brief(sectors), brief(conflicts))
  print kernel[FNR], taps[FNR], shape > launches
}

END {
  if (FNR != kernels) {
    print "xray: " kernels + 0 " kernels named, " FNR " launches recorded" > "/dev/stderr"
    exit 1
  }
  print "Per pixel, " width " x " height " of them."
  print "Work-groups: " group (named ? ", and" named " where the program names them." : ".")
  printf line, "", filters ? "mult." : "min,", "input", filters ? "tap" : "com-", "local", "bran-", "other", "", "sec-", "bank"
  printf line, "kernel", filters ? "-adds" : "max", "loads", filters ? "loads" : "pared", "loads", "ches", "arith", "reuse",
    "tors", "words"
  printf "%s", rows
}

function name_launch(name, filter_width,   kernel_name, i) {
  kernel_name = name
  sub(/[:#].*/, "", kernel_name)
  for (i = 1; i <= helper_count; ++i)
    if (index(helper[i], kernel_name ":") == 1) name_launch(substr(helper[i], length(kernel_name) + 2), filter_width)
  kernel[++kernels] = name
  taps[kernels] = filter_width
}

# Empty, if there is nothing to compare.
function ratio(a, b) { return a && b ? sprintf("%.4g", a / b) : "" }

function per_pixel(name) { return brief(total[name] / (width * height)) }

# At most five characters.
function brief(number) {
  number += 0
  return number == 0 ? "-" : sprintf(number >= 1000 ? "%.0f" : number >= 100 ? "%.4g" : number >= 0.1 ? "%.3g" : "%.3f", number)
}
