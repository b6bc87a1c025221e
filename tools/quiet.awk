# Was the machine quiet? Prints a sentence if it was not, else nothing:
#     awk -f tools/quiet.awk results/*.csv
# An interval is wide if its ends differ by more than a fifth. A quarter of wide ones is too many. CSVs without
# intervals do not count.
BEGIN { FS = ","; wide_ratio = 1.2; too_many = 0.25; shown = 3 }

FNR == 1 { split("", column) }
/^#/ || NF == 0 { next }
!("median_ms" in column) && /(^|,)median_ms(,|$)/ {
  for (i = 1; i <= NF; ++i) column[$i] = i
  next
}
!("low_ms" in column) || $column["low_ms"] <= 0 { next }
{
  ++intervals
  ratio = $column["high_ms"] / $column["low_ms"]
  if (ratio <= wide_ratio) next
  ++wide
  what = $column["kernel"] ("filter_width" in column ? " at width " $column["filter_width"] : "")
  # worst[1..shown], the widest first
  for (i = shown; i && ratio > worst[i]; --i) {
    worst[i + 1] = worst[i]
    name[i + 1] = name[i]
  }
  worst[i + 1] = ratio
  name[i + 1] = what
}

END {
  if (wide <= too_many * intervals) exit
  printf "The machine was not quiet: %d of %d intervals are wider than a fifth of the time. ", wide, intervals
  printf "Trust no difference between kernels whose intervals overlap, and least of all"
  for (i = 1; i <= shown && worst[i]; ++i) printf("%s %s (a factor of %.1f)", i > 1 ? "," : "", name[i], worst[i])
  print ". Run again when nothing else runs."
}
