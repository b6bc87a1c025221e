# Step 1: how long the naive kernel takes, and the OpenMP loop on the host beside it.
#     gnuplot -e "data='ladder.csv'; out='step1.svg'" step1.gp
headline = "Step 1: time of the naive kernel"
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"

shown = common(new_in(1), kernels_in(data))
files = "'".data."'"
plotted(f, what) = place(strcol("kernel"), shown) ? column(what) : NaN
of(kernel, what) = chosen(kernel) ? column(what) : NaN
# A loop from 1 to 0 draws nothing, but gnuplot still evaluates what is in it and makes room for its title.
$nothing << EOD
kernel,filter_width,median_ms,x_floor
Convolve,1,1,1
EOD
floors = has_floor(data)
floor_data = floors ? data : "$nothing"
floor_title = floors ? "floor, see roofline/" : ""
floor_ms(ignored) = chosen("Convolve") ? column("median_ms") / column("x_floor") : NaN
# The work grows with the square of the filter width: only a logarithmic axis shows both ends.
logarithmic = 1
if (floors) {
    stats data using (floor_ms(0)) nooutput name "FLOOR"
    at_least_to = FLOOR_min
}
load here."value_axis.gp"
set yrange [bottom:top]
load here."log_tics.gp"
set ylabel "median time in ms, logarithmic"

# The loop runs on the host's CPU, whatever the device is.
legend(kernel) = kernel eq "OpenMP" ? "OpenMP, on the host's CPU" : kernel
legend_titles = (place("OpenMP", shown) ? "\"OpenMP, on the host's CPU\" " : "")."Convolve".(floors ? " 'floor, see roofline/'" : "")." ".cut_entry
load here."legend.gp"
plot for [k in shown] data using "filter_width":(of(k, "median_ms")):(cut(of(k, "low_ms"))):(cut(of(k, "high_ms"))) \
         with yerrorlines linecolor rgb colour(k) pointtype look(k, markers) linewidth 1.3 pointsize point_size title legend(k), \
     for [i=1:floors] floor_data using "filter_width":(floor_ms(0)) with @floor_look title floor_title, \
     for [end in "low_ms high_ms"] data using "filter_width":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : "")
