# Time per work-item of the median kernels over the number of work-items, with the deck's minimum for its GPU (CH.3).
#     gnuplot -e "data='median_work_groups.csv'; out='median_global_size.svg'" median_global_size.gp
headline = "Median filter: time per work-item over the size of the NDRange"
load system("dirname '".ARG0."'")."/style.gp"
kernels = kernels_in(data)
colour_of = "1 6 4 8"
global(value) = strcol("experiment") eq "global" ? value : NaN
plotted(f, what) = global(column("ns_per_item") * column(what) / column("median_ms"))
ns(kernel, what) = chosen(kernel) ? plotted(1, what) : NaN
files = "'".data."'"
logarithmic = 1
load here."value_axis.gp"
stats data using (global(column("items"))) nooutput name "ITEMS"

published_title = "published: 1280 and 2560 for the HD 4870"
legend_titles = kernels." '".published_title."' ".cut_entry
load here."legend.gp"
set logscale x 2
set xtics ()
do for [power=0:28:2] { set xtics add ((power < 10 ? sprintf("%d", 2**power) : power < 20 ? sprintf("%dK", 2**(power - 10)) : sprintf("%dM", 2**(power - 20))) 2.0**power) }
set xrange [0.7:ITEMS_max * 1.4]
set xlabel "work-items in the NDRange, logarithmic (K = 1024)"
set ylabel "ns per work-item, logarithmic"
set yrange [bottom:top]
load here."log_tics.gp"
if (top / bottom > 1000) {
    set ytics ()
    do for [power=-6:7] { set ytics add (sprintf("%g", 10.0**power) 10.0**power) }
}
set arrow 1 from 1280, graph 0 to 1280, graph 1 nohead linetype published_colour linewidth 1.5 dashtype 2
set arrow 2 from 2560, graph 0 to 2560, graph 1 nohead linetype published_colour linewidth 1.5 dashtype 2
plot for [i=1:words(kernels)] data using "items":(ns(word(kernels, i), "median_ms")):(cut(ns(word(kernels, i), "low_ms"))):(cut(ns(word(kernels, i), "high_ms"))) \
         with yerrorlines linetype int(word(colour_of, i)) pointtype int(word("7 5 9 11", i)) dashtype i linewidth 1.3 pointsize point_size title word(kernels, i), \
     for [end in "low_ms high_ms"] data using "items":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : ""), \
     keyentry with lines linetype published_colour linewidth 1.5 dashtype 2 title published_title
