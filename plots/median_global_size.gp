# Time per work-item of the median kernels over the number of work-items, with the deck's minimum for its GPU (CH.3).
#     gnuplot -e "data='median_work_groups.csv'; out='median_global_size.svg'" median_global_size.gp
headline = "Median filter: time per work-item over the size of the NDRange"
load system("dirname '".ARG0."'")."/style.gp"
shown = kernels_in(data)
load here."median_look.gp"
global(number) = strcol("experiment") eq "global" ? number : NaN
measured_value(what) = global(column("ns_per_item") * column(what) / column("median_ms"))
stats data using (global(column("items"))) nooutput name "ITEMS"
over = "items"
logarithmic = 1
set logscale x 2
set xtics ()
do for [power=0:28:2] {
    set xtics add (power < 10 ? sprintf("%d", 2**power) : power < 20 ? sprintf("%dK", 2**(power - 10)) : sprintf("%dM", 2**(power - 20)) 2.0**power)
}
set xrange [0.7:ITEMS_max * 1.4]
set xlabel "work-items in the NDRange, logarithmic (K = 1024)"
set ylabel "ns per work-item, logarithmic"
published_look = 'linetype published_colour linewidth 1.5 dashtype 2'
set arrow 1 from 1280, graph 0 to 1280, graph 1 nohead @published_look
set arrow 2 from 2560, graph 0 to 2560, graph 1 nohead @published_look
last = 'keyentry with lines @published_look title "published: 1280 and 2560 for the HD 4870"'
load here."curves.gp"
