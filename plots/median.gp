# The median kernels: one bar each, and those of other programs that were measured in the same run as one of them.
#     gnuplot -e "data='median.csv'; peers='median_opencv.csv'; out='median.svg'" median.gp
# peers, a CSV of median_opencv or median_npp, is optional. Times of different runs are not compared: with a peer its
# own run of our kernel is drawn too. Beside a GPU's bars stand the published rates (CA.5).
load system("dirname '".ARG0."'")."/csv.gp"
headline = "Median filter, 3 x 3: rate"
kernels = kernels_in(data)
others = exists("peers") ? kernels_in(peers) : ""
anchors = here."published/anchors.csv"
of_median(value) = strcol("id") eq "CA.5" ? value : NaN
stats anchors using (of_median(column("gpixels_per_s"))):0 nooutput name "ANCHORS"
published = is_gpu(data) ? int(ANCHORS_records) : 0
gap = 1.3  # with the words above the other programs' bars
# Our kernels are the rows 1, 2, ...; then the others', then the published.
height = 175 + 26 * (words(kernels) + words(others) + published) + (others ne "" ? 30 : 0) + (published ? 30 : 0)
load here."style.gp"
load here."bars.gp"

formats = "rgba rgba channels channels gray gray gray gray float float"
known = "medianfilter_rgba medianfilter_x4 median_channels median_channels_x4 median_gray median_gray_rows \
    median_gray_x16 median_gray_packed median_float median_float_x4"
titles = "'RGBA by luminance' 'RGBA by channel' '8-bit gray' '32-bit float'"
colour_of = "1 3 6 4"
format(kernel) = place(kernel, known) ? place(word(formats, place(kernel, known)), "rgba channels gray float") : 3

legend_titles = titles.(others ne "" ? " 'another library, 8-bit gray'" : "").(published ? " published" : "")
load here."legend.gp"
set bmargin at screen y(66 + 18 * legend_rows)
set lmargin at screen 0.29
set xlabel "Gpixel/s (higher is better)"
set ytics noenhanced scale 0 font ",12" ()
do for [i=1:words(kernels)] { set ytics add (word(kernels, i) -i) }
do for [i=1:words(others)] { set ytics add (word(others, i) -words(kernels) - i - gap + 0.3) }

row(kernel) = -place(kernel, kernels)
peer_row(kernel) = -words(kernels) - place(kernel, others) - gap + 0.3
last = -words(kernels) - words(others) - (others eq "" ? 0 : gap - 0.3)
published_row(i) = last - gap + 0.3 - i
anchor_row(index) = published_row(index - ANCHORS_min_y + 1)
rate(ms) = column("gpixels_per_s") * column("median_ms") / ms
if (others ne "") {
    set label 3 "once more, in one run with the other library:" at graph 0, first peer_row(word(others, 1)) + 0.85 offset 0.5,0 font ",11" textcolor rgb "#505050"
}
# Without peers their loops draw nothing, but gnuplot still opens the file.
$nothing << EOD
kernel,gpixels_per_s,median_ms,low_ms,high_ms
none,1,1,1,1
EOD
median_most = 0
reach_most = 0
do for [file in "'".data."'".(others eq "" ? "" : " '".peers."'")] {
    stats file using "gpixels_per_s" nooutput name "RATE"
    stats file using (rate(column("low_ms"))) nooutput name "REACH"
    median_most = RATE_max > median_most ? RATE_max : median_most
    reach_most = REACH_max > reach_most ? REACH_max : reach_most
}
if (published) {
    set label 4 "published (RTX 3090, 2022):" at graph 0, first published_row(1) + 0.85 offset 0.5,0 font ",11" textcolor rgb "#505050"
}
if (published && ANCHORS_max_x > median_most) { median_most = ANCHORS_max_x }
bar_end = reach(median_most, reach_most)
set xrange [0:axis_end(6, 800 * (0.97 - 0.29))]
set xtics tic_step(median_most)
set yrange [(published ? published_row(published) : last) - 0.7:-0.4]
if (exists("out")) { unset grid; set grid xtics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

text(rate) = sprintf(rate >= 9.95 ? "%.1f" : rate >= 0.995 ? "%.2f" : "%.3f", rate)
peer_colour(kernel) = place(kernel, known) ? int(word(colour_of, format(kernel))) : 8
only(f, value) = format(strcol("kernel")) == f ? value : NaN
median(ignored) = column("gpixels_per_s")
if (others eq "") { peers = "$nothing" }
plot for [f=1:4] data using (0):(row(strcol("kernel"))):(0):(only(f, median(0))):(row(strcol("kernel")) - 0.36):(row(strcol("kernel")) + 0.36) \
         with boxxyerror fillstyle solid 1 noborder linecolor int(word(colour_of, f)) title word(titles, f), \
     data using (median(0)):(row(strcol("kernel"))):(rate(column("high_ms"))):(cut(rate(column("low_ms")))) \
         with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     data using (arrow_from(median(0), rate(column("low_ms")))):(row(strcol("kernel"))):(arrow_by(median(0), rate(column("low_ms")))):(0) \
         with vectors @cut_look notitle, \
     data using (cut(rate(column("low_ms")))):(row(strcol("kernel"))):(text(median(0))) \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [i=1:words(others)] peers using (0):(peer_row(strcol("kernel"))):(0):(others eq "" || strcol("kernel") eq word(others, i) ? median(0) : NaN):(peer_row(strcol("kernel")) - 0.36):(peer_row(strcol("kernel")) + 0.36) \
         with boxxyerror fillstyle solid 1 noborder linecolor peer_colour(word(others, i)) \
         title (place(word(others, i), known) || i < words(others) ? "" : "another library, 8-bit gray"), \
     for [i=1:(others ne "")] peers using (median(0)):(peer_row(strcol("kernel"))):(rate(column("high_ms"))):(cut(rate(column("low_ms")))) \
         with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     for [i=1:(others ne "")] peers using (arrow_from(median(0), rate(column("low_ms")))):(peer_row(strcol("kernel"))):(arrow_by(median(0), rate(column("low_ms")))):(0) \
         with vectors @cut_look notitle, \
     for [i=1:(others ne "")] peers using (cut(rate(column("low_ms")))):(peer_row(strcol("kernel"))):(text(median(0))) \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [i=1:(published > 0)] anchors using (0):(anchor_row($0)):(0):(of_median(column("gpixels_per_s"))):(anchor_row($0) - 0.36):(anchor_row($0) + 0.36) \
         with boxxyerror fillstyle solid 0.6 noborder linetype published_colour title (published ? "published" : ""), \
     for [i=1:(published > 0)] anchors using (of_median(column("gpixels_per_s"))):(anchor_row($0)):(text(column("gpixels_per_s"))) \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [i=1:(published > 0)] anchors using (of_median(0)):(anchor_row($0)):(strcol("what")[15:]) \
         with labels right offset -0.8,0 font ",11" textcolor rgb "#404040" notitle
