# The median kernels: one bar each, and those of other programs that were measured in the same run as one of them.
#     gnuplot -e "data='median.csv'; peers='median_opencv.csv'; out='median.svg'" median.gp
# peers, a CSV of median_opencv or median_npp, is optional. Times of different runs are not compared: with a peer its
# own run of our kernel is drawn too.
load system("dirname '".ARG0."'")."/csv.gp"
headline = "Median filter, 3 x 3: rate"
kernels = kernels_in(data)
others = exists("peers") ? kernels_in(peers) : ""
rows = words(kernels) + words(others)
height = 170 + 26 * rows
load here."style.gp"

formats = "rgba rgba channels channels gray gray gray gray float float"
known = "medianfilter_rgba medianfilter_x4 median_channels median_channels_x4 median_gray median_gray_rows \
    median_gray_x16 median_gray_packed median_float median_float_x4"
titles = "'RGBA by luminance' 'RGBA by channel' '8-bit gray' '32-bit float'"
colour_of = "1 3 6 4"
format(kernel) = place(kernel, known) ? place(word(formats, place(kernel, known)), "rgba channels gray float") : 3

legend_entries = 4 + (others ne "" ? 1 : 0)
load here."legend.gp"
set bmargin at screen y(66 + 18 * legend_rows + 20)
set lmargin at screen 0.29
set xlabel "Gpixel/s (higher is better)"
set ytics noenhanced scale 0 ()
do for [i=1:words(kernels)] { set ytics add (word(kernels, i) -i) }
do for [i=1:words(others)] { set ytics add (word(others, i).(place(word(others, i), known) ? " (that run)" : "") -words(kernels) - i - 0.4) }
set yrange [*:*]  # stats leaves out what lies outside
rate(ms) = column("gpixels_per_s") * column("median_ms") / ms
stats data using (rate(column("low_ms"))) nooutput name "RATE"
most = RATE_max
if (others ne "") { stats peers using (rate(column("low_ms"))) nooutput name "RATE"; most = RATE_max > most ? RATE_max : most }
set yrange [-rows - (others eq "" ? 0.6 : 1):-0.4]
set xrange [0:most * 1.15]  # room for the longest bar's label
if (exists("out")) { unset grid; set grid xtics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

row(kernel) = -place(kernel, kernels)
peer_row(kernel) = -words(kernels) - place(kernel, others) - 0.4
text(rate) = sprintf(rate >= 9.95 ? "%.1f" : rate >= 0.995 ? "%.2f" : "%.3f", rate)
peer_colour(kernel) = place(kernel, known) ? int(word(colour_of, format(kernel))) : 8
only(f, value) = format(strcol("kernel")) == f ? value : NaN

# Without peers their loops draw nothing, but gnuplot still opens the file.
$nothing << EOD
kernel,gpixels_per_s,median_ms,low_ms,high_ms
none,1,1,1,1
EOD
if (others eq "") { peers = "$nothing" }
plot for [f=1:4] data using (0):(row(strcol("kernel"))):(0):(only(f, column("gpixels_per_s"))):(row(strcol("kernel")) - 0.36):(row(strcol("kernel")) + 0.36) \
         with boxxyerror fillstyle solid 1 noborder linecolor int(word(colour_of, f)) title word(titles, f), \
     data using "gpixels_per_s":(row(strcol("kernel"))):(rate(column("high_ms"))):(rate(column("low_ms"))) \
         with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     data using (rate(column("low_ms"))):(row(strcol("kernel"))):(text(column("gpixels_per_s"))) \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [i=1:words(others)] peers using (0):(peer_row(strcol("kernel"))):(0):(others eq "" || strcol("kernel") eq word(others, i) ? column("gpixels_per_s") : NaN):(peer_row(strcol("kernel")) - 0.36):(peer_row(strcol("kernel")) + 0.36) \
         with boxxyerror fillstyle solid (place(word(others, i), known) ? 0.5 : 1) noborder linecolor peer_colour(word(others, i)) \
         title (place(word(others, i), known) || i < words(others) ? "" : "another library, 8-bit gray"), \
     for [i=1:(others eq "" ? 0 : 1)] peers using "gpixels_per_s":(peer_row(strcol("kernel"))):(rate(column("high_ms"))):(rate(column("low_ms"))) \
         with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     for [i=1:(others eq "" ? 0 : 1)] peers using (rate(column("low_ms"))):(peer_row(strcol("kernel"))):(text(column("gpixels_per_s"))) \
         with labels left offset 0.6,0 font ",12" notitle
