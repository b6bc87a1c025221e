# Step 1: how long the naive kernel takes, and the OpenMP loop on the host beside it.
#     gnuplot -e "data='ladder.csv'; out='step1.svg'" step1.gp
headline = "Step 1: time of the naive kernel"
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"

# The work grows with the square of the filter width: only a logarithmic axis shows both ends.
set logscale y
set autoscale yfix
set offsets graph 0, graph 0, graph 0.06, graph 0.06
set ytics ()
do for [power=-4:6] {
    do for [digit in "1 2 5"] { set ytics add (sprintf("%g", digit * 10.0**power) digit * 10.0**power) }
}
set ylabel "median time in ms (lower is faster)"

of(kernel, what) = chosen(kernel) ? column(what) : NaN
shown = common(new_in(1), kernels_in(data))
# A loop from 1 to 0 draws nothing, but gnuplot still evaluates what is in it.
$nothing << EOD
kernel,filter_width,median_ms,x_floor
Convolve,1,1,1
EOD
floors = has_floor(data)
floor_data = floors ? data : "$nothing"
floor_title = floors ? "floor, see roofline/" : ""
legend_entries = words(shown) + floors
load here."legend.gp"
legend(kernel) = kernel eq "OpenMP" ? "OpenMP on the host" : kernel
plot for [k in shown] data using "filter_width":(of(k, "median_ms")):(of(k, "low_ms")):(of(k, "high_ms")) \
         with yerrorlines linetype look(k, colours) pointtype look(k, markers) linewidth 1.3 pointsize point_size title legend(k), \
     for [i=1:floors] floor_data using "filter_width":(chosen("Convolve") ? column("median_ms") / column("x_floor") : NaN) \
         with @floor_look title floor_title
