# The convolution by other libraries and by the tutorial's kernels: rate over the filter's width.
#     gnuplot -e "data='peers.csv'; out='peers.svg'" peers.gp
# data, a CSV of convolution_peers. If it has the column x_floor, a kernel's time in units of the least time that the
# device needs, the roofline is drawn in. Beside a GPU's curves stand the published rates at 15 x 15 (CA.1, CA.2).
headline = "Convolution by other libraries: rate"
height = 560
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"

# The libraries are compared with two of our kernels, the first and the tuned one; the others are grey.
others = "OpenCV OpenCV_split OpenCV_OpenCL NPP cuDNN"
added  = "Convolve Tuned ".others
drawn  = all_kernels." ".others
colour_of = colours." 3 8 6 3 8"
marker_of = markers." 6 4 8 10 12"
dash_of   = dashes." 2 4 2 2 4"
style_of(kernel, list) = int(word(list, place(kernel, drawn)))
colour(kernel) = place(kernel, added) ? int(word(podo, style_of(kernel, colour_of))) : 0xa0a0a0
thickness(kernel) = place(kernel, "Convolve Tuned") ? 2.5 : 1.2
# NAME:host, a kernel by the host's clock as well, is left out: on this scale it hides the kernel's own line.
shown = common(drawn, kernels_in(data))
shown = joined(minus(shown, added), shown)

# Every row knows the roofline; Convolve's are taken, for that one runs at every width.
# A loop that draws nothing still reads its columns, so they must be there, and makes room for its title.
floors = has_floor(data)
floor_column = floors ? "x_floor" : "gpixels_per_s"
roofline(ignored) = chosen("Convolve") ? column("gpixels_per_s") * column(floor_column) : NaN
anchors = here."published/anchors.csv"
published = is_gpu(data)
gpixels(id) = strcol("id") eq id ? 4096 * 4096 * 1e-6 / column("median_ms") : aside
published_of = "CA.1 CA.2"
published_titles = "'published: best found' 'published: naive kernel'"

rate(what) = column("gpixels_per_s") * column("median_ms") / column(what)
of(kernel, what) = chosen(kernel) ? rate(what) : NaN
plotted(f, what) = place(strcol("kernel"), shown) ? rate(what) : NaN
files = "'".data."'"
logarithmic = 1
if (floors) {
    stats data using (roofline(0)) nooutput name "ROOF"
    at_least_to = ROOF_max
}
load here."value_axis.gp"
set yrange [bottom:top]
load here."log_tics.gp"
set ylabel "Gpixel/s, logarithmic (higher is better)"

by_host = ask("clock", data) eq "event" ? " (host clock)" : ""
title_of(kernel) = kernel.(kernel[1:6] eq "OpenCV" ? by_host : "")
legend_titles = (floors ? "roofline " : "").(published ? published_titles." " : "").cut_entry
do for [i=1:words(shown)] { legend_titles = legend_titles." '".title_of(word(shown, i))."'" }
load here."legend.gp"
plot for [i=1:floors] data using "filter_width":(roofline(0)) \
         with lines linecolor rgb "#c0c0c0" linewidth 5 title (floors ? "roofline" : ""), \
     for [k in shown] data using "filter_width":(of(k, "median_ms")):(cut(of(k, "high_ms"))):(cut(of(k, "low_ms"))) \
         with yerrorlines linecolor rgb colour(k) dashtype style_of(k, dash_of) \
         pointtype style_of(k, marker_of) linewidth thickness(k) pointsize point_size title title_of(k), \
     for [i=1:(published ? 2 : 0)] anchors using (15):(gpixels(word(published_of, i))) \
         with points linetype published_colour pointtype (i == 1 ? published_point : 12) pointsize 1.1 * point_size \
         title (published ? word(published_titles, i) : ""), \
     for [end in "low_ms high_ms"] data using "filter_width":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : "")
