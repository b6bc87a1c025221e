# The ladder on a terminal, from a results CSV: one row per kernel, one column per filter width, then the rate and the
# distance from the floor; at most 80 columns.
#
#   awk -f tools/ladder_table.awk results/ladder.csv
#
# At most five widths are shown, spread evenly over those that the file has. Several rows of one kernel
# at one width (work-group shapes, say) are summed up by the fastest.
BEGIN { FS = ","; max_widths = 5 }

/^# (device|size|filter): / { print substr($0, 3); next }
/^#/ { next }

!have_header {
  for (i = 1; i <= NF; ++i) column[$i] = i
  have_header = 1
  next
}

{
  kernel = $column["kernel"]
  width = $column["filter_width"] + 0
  percent = $column["relative_percent"] + 0
  if (!(kernel in seen_kernel)) { seen_kernel[kernel]; kernels[++kernel_count] = kernel }
  if (!(width in seen_width)) { seen_width[width]; widths[++width_count] = width }
  if (!((kernel, width) in relative) || percent < relative[kernel, width]) {
    relative[kernel, width] = percent
    rate[kernel, width] = $column["gpixels_per_s"] + 0
    if ("x_floor" in column && $column["x_floor"] > 0) floor[kernel, width] = $column["x_floor"] + 0
  }
}

END {
  if (!kernel_count) { print "no measurements in " FILENAME; exit 1 }

  shown_count = width_count < max_widths ? width_count : max_widths
  for (i = 1; i <= shown_count; ++i)
    shown[i] = shown_count == 1 ? widths[1] : widths[1 + int((i - 1) * (width_count - 1) / (shown_count - 1) + 0.5)]
  rate_width = 7 in seen_width ? 7 : widths[1]

  print "Time in % of Convolve's at filter widths (lower is faster). At width " rate_width ", also the"
  print "rate in Gpixel/s and the time over the floor (1 is the device's ceiling):"
  print ""
  line = sprintf("%-30s", "kernel")
  for (i = 1; i <= shown_count; ++i) line = line sprintf("%6d", shown[i])
  print line "  Gpix/s x floor"
  for (k = 1; k <= kernel_count; ++k) {
    kernel = kernels[k]
    line = sprintf("%-30s", kernel)
    for (i = 1; i <= shown_count; ++i)
      line = line ((kernel, shown[i]) in relative ? sprintf(relative[kernel, shown[i]] < 9.95 ? "%6.1f" : "%6.0f", relative[kernel, shown[i]]) : "     -")
    line = line ((kernel, rate_width) in rate ? sprintf("%8.3g", rate[kernel, rate_width]) : "       -")
    print line ((kernel, rate_width) in floor ? sprintf("%8.2f", floor[kernel, rate_width]) : "       -")
  }
}
