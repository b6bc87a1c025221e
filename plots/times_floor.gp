# Time over the floor, the least time that the device's ceilings allow, over filter width. Not a chart of its own: a
# step's script sets `headline`, loads style.gp, sets `kernels`, and loads this. Needs the column x_floor.
load here."width_axis.gp"
set logscale y
set ylabel "times the floor (1 is the device's ceiling)"
set ytics ()
do for [power=-1:3] {
    do for [digit in "1 1.5 2 3 5 7"] { set ytics add (sprintf("%g", digit * 10.0**power) digit * 10.0**power) }
}
set autoscale yfix
set offsets graph 0, graph 0, graph 0.06, graph 0.06
floor_of(kernel) = chosen(kernel) ? column("x_floor") : NaN
low(kernel) = floor_of(kernel) * column("low_ms") / column("median_ms")
high(kernel) = floor_of(kernel) * column("high_ms") / column("median_ms")
shown = common(kernels, kernels_in(data))
legend_entries = 1 + words(shown)
load here."legend.gp"
plot 1 with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "floor, see roofline/", \
     for [k in shown] data using "filter_width":(floor_of(k)):(low(k)):(high(k)) \
         with yerrorlines linetype look(k, colours) pointtype look(k, markers) dashtype look(k, dashes) \
         linewidth 1.3 pointsize point_size title k
