# Time per work-item of the median kernels over the number of work-items, with the deck's minimum for its GPU (CH.3).
#     gnuplot -e "data='median_work_groups.csv'; out='median_global_size.svg'" median_global_size.gp
headline = "Median filter: time per work-item over the size of the NDRange"
load system("dirname '".ARG0."'")."/style.gp"
kernels = kernels_in(data)
colour_of = "1 6 4 8"
global(kernel, value) = strcol("experiment") eq "global" && chosen(kernel) ? value : NaN
ns(kernel, what) = global(kernel, column("ns_per_item") * column(what) / column("median_ms"))

legend_entries = words(kernels) + 1
load here."legend.gp"
set logscale x 2
set logscale y
stats data using (strcol("experiment") eq "global" ? column("items") : NaN) nooutput name "ITEMS"
stats data using (strcol("experiment") eq "global" ? column("ns_per_item") : NaN) nooutput name "NS"
set xtics ()
do for [power=0:28:2] { set xtics add ((power < 10 ? sprintf("%d", 2**power) : power < 20 ? sprintf("%dK", 2**(power - 10)) : sprintf("%dM", 2**(power - 20))) 2.0**power) }
set xrange [0.7:ITEMS_max * 1.4]
set xlabel "work-items in the NDRange (K = 1024)"
set ylabel "ns per work-item (lower is faster)"
set ytics ()
do for [power=-4:5] { set ytics add (sprintf("%g", 10.0**power) 10.0**power) }
set yrange [NS_min * 0.7:NS_max * 1.4]
set arrow 1 from 1280, graph 0 to 1280, graph 1 nohead linetype published_colour linewidth 1.5 dashtype 2
set arrow 2 from 2560, graph 0 to 2560, graph 1 nohead linetype published_colour linewidth 1.5 dashtype 2
plot for [i=1:words(kernels)] data using "items":(ns(word(kernels, i), "median_ms")):(ns(word(kernels, i), "low_ms")):(ns(word(kernels, i), "high_ms")) \
         with yerrorlines linetype int(word(colour_of, i)) pointtype int(word("7 5 9 11", i)) linewidth 1.3 pointsize point_size title word(kernels, i), \
     keyentry with lines linetype published_colour linewidth 1.5 dashtype 2 title "published: 1280 and 2560 for the HD 4870"
