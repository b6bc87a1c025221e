# The x axis of the charts over filter width. Reads `data` and, if there is one, `published`, so that the
# published points are in the picture even where only one width was measured.
stats data using "filter_width" nooutput name "WIDTH"
width_min = WIDTH_min
width_max = WIDTH_max
if (exists("published")) {
    stats published using "filter_width" nooutput name "WIDTH"
    width_min = WIDTH_min < width_min ? WIDTH_min : width_min
    width_max = WIDTH_max > width_max ? WIDTH_max : width_max
}
set xrange [width_min - 1:width_max + 1]
# Grid lines at the multiples of four, where the sawtooth has its minima.
if (width_max - width_min > 9) { set xtics 0,4 } else { set xtics 0,1 }
set xlabel "filter width (pixels)"
