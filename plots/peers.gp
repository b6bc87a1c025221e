# The convolution by other libraries and by the tutorial's kernels: rate over the filter's width.
#     gnuplot -e "data='peers.csv'; out='peers.svg'" peers.gp
# data, a CSV of convolution_peers. If it has the column x_floor, a kernel's time in units of the least time that the
# device needs, the roofline is drawn in.
headline = "Convolution by other libraries: rate"
height = 560
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"

# Our kernels have thick unbroken lines, other libraries thin broken ones with open markers.
others = "OpenCV OpenCV_split OpenCV_OpenCL NPP cuDNN"
drawn  = all_kernels." ".others
colour_of = colours." 3 3 6 1 8"
marker_of = markers." 6 4 8 10 12"
dash_of   = dashes." 2 4 2 2 4"
style_of(kernel, list) = int(word(list, place(kernel, drawn)))
thickness(kernel) = place(kernel, others) ? 1.2 : 2.5
# NAME:host, a kernel by the host's clock as well, is left out: on this scale it hides the kernel's own line.
shown = common(drawn, kernels_in(data))

columns = system("grep -m 1 '^kernel,' '".data."'")
has_floor = strstrt(",".columns.",", ",x_floor,") > 0

stats data using "gpixels_per_s" nooutput name "RATE"
most = RATE_max
if (has_floor) { stats data using (column("gpixels_per_s") * column("x_floor")) nooutput name "RATE"; most = RATE_max }
stats data using "gpixels_per_s" nooutput name "RATE"
set logscale y
set yrange [RATE_min / 1.4:most * 1.4]
set lmargin at screen 0.1
set ytics ()
do for [power=-5:5] {
    do for [digit in "1 2 5"] { set ytics add (sprintf("%g", digit * 10.0**power) digit * 10.0**power) }
}
set ylabel "Gpixel/s (higher is better)"

legend_entries = words(shown) + has_floor
load here."legend.gp"
rate(kernel, ms) = chosen(kernel) ? column("gpixels_per_s") * column("median_ms") / column(ms) : NaN
# Every row knows the roofline; the first kernel's are taken, for that one runs at every width.
# A loop that draws nothing still reads its columns, so they must be there.
floor_column = has_floor ? "x_floor" : "gpixels_per_s"
roofline(kernel) = chosen(kernel) ? column("gpixels_per_s") * column(floor_column) : NaN
by_host = ask("clock", data) eq "event" ? " (host clock)" : ""
title_of(kernel) = kernel.(kernel[1:6] eq "OpenCV" ? by_host : "")
plot for [i=1:has_floor] data using "filter_width":(roofline(word(shown, 1))) \
         with lines linecolor rgb "#808080" linewidth 4 title "roofline", \
     for [k in shown] data using "filter_width":(rate(k, "median_ms")):(rate(k, "high_ms")):(rate(k, "low_ms")) \
         with yerrorlines linecolor style_of(k, colour_of) dashtype style_of(k, dash_of) \
         pointtype style_of(k, marker_of) linewidth thickness(k) pointsize point_size title title_of(k)
