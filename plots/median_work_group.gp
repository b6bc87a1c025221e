# Time of the median kernels over the size of their work-groups, relative to 64 work-items.
#     gnuplot -e "data='median_work_groups.csv'; out='median_work_group.svg'" median_work_group.gp
headline = "Median filter: time over the size of the work-group"
load system("dirname '".ARG0."'")."/style.gp"
kernels = kernels_in(data)
colour_of = "1 6 4 8"
marker_of = "6 4 8 10"  # the filled ones are the next numbers

array usual[words(kernels)]
group(kernel, value) = strcol("experiment") eq "group" && chosen(kernel) ? value : NaN
do for [i=1:words(kernels)] {
    stats data using (group(word(kernels, i), column("work_group") == 64 ? column("median_ms") : NaN)) nooutput name "USUAL"
    usual[i] = USUAL_max
}
plotted(f, what) = strcol("experiment") eq "group" ? 100.0 * column(what) / usual[place(strcol("kernel"), kernels)] : NaN
percent(i, what) = group(word(kernels, i), plotted(1, what))
full(i, what) = int(column("work_group")) % 64 == 0 ? percent(i, what) : NaN
files = "'".data."'"
logarithmic = 1
at_least_to = 100
load here."value_axis.gp"

legend_titles = kernels
do for [i=1:words(kernels)] { legend_titles = legend_titles." '".word(kernels, i).", multiple of 64'" }
legend_titles = legend_titles." ".cut_entry
load here."legend.gp"
set logscale x 2
set xrange [0.8:1300]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
set xlabel "work-items in a work-group, all in a row, logarithmic"
set ylabel "% of the time with 64, logarithmic"
set yrange [bottom:top]
load here."log_tics.gp"
plot for [i=1:words(kernels)] data using "work_group":(percent(i, "median_ms")):(cut(percent(i, "low_ms"))):(cut(percent(i, "high_ms"))) \
         with yerrorlines linetype int(word(colour_of, i)) pointtype int(word(marker_of, i)) dashtype i linewidth 1.3 pointsize point_size title word(kernels, i), \
     for [i=1:words(kernels)] data using "work_group":(full(i, "median_ms")) \
         with points linetype int(word(colour_of, i)) pointtype int(word(marker_of, i)) + 1 pointsize 1.3 * point_size title word(kernels, i).", multiple of 64", \
     for [end in "low_ms high_ms"] data using "work_group":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : "")
