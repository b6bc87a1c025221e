# The x axis of the charts over filter width: the widths in `data`, and those of the published points, if there are some.
stats data using "filter_width" nooutput name "WIDTH"
set xrange [WIDTH_min - 1:(exists("published") && WIDTH_max < 24 ? 24 : WIDTH_max) + 1]
# Grid lines at the multiples of four, where the sawtooth has its minima.
if (WIDTH_max - WIDTH_min > 9) { set xtics 0,4 } else { set xtics 0,1 }
set xlabel "filter width (pixels)"
