# The ladder on a terminal, from a results CSV: a row a kernel, a column a filter width, at most 80 columns.
#
#   awk -f tools/ladder_table.awk results/ladder.csv
#
# At most seven widths are shown, spread evenly over those that the file has. Several rows of one kernel
# at one width (work-group shapes, say) are summed up by the fastest.
BEGIN { FS = ","; max_widths = 7 }

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
  }
}

END {
  if (!kernel_count) { print "no measurements in " FILENAME; exit 1 }

  shown_count = width_count < max_widths ? width_count : max_widths
  for (i = 1; i <= shown_count; ++i)
    shown[i] = shown_count == 1 ? widths[1] : widths[1 + int((i - 1) * (width_count - 1) / (shown_count - 1) + 0.5)]
  rate_width = 7 in seen_width ? 7 : widths[1]

  print "Relative time in % at filter widths (Convolve is 100, lower is faster),"
  print "and Gpixel/s at width " rate_width ":"
  print ""
  line = sprintf("%-28s", "kernel")
  for (i = 1; i <= shown_count; ++i) line = line sprintf("%6d", shown[i])
  print line "   Gpix/s"
  for (k = 1; k <= kernel_count; ++k) {
    kernel = kernels[k]
    line = sprintf("%-28s", kernel)
    for (i = 1; i <= shown_count; ++i)
      line = line ((kernel, shown[i]) in relative ? sprintf(relative[kernel, shown[i]] < 9.95 ? "%6.1f" : "%6.0f", relative[kernel, shown[i]]) : "     -")
    print line ((kernel, rate_width) in rate ? sprintf("%9.3g", rate[kernel, rate_width]) : "        -")
  }
}
