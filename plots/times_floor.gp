# Time over the floor, the least time that the device's ceilings allow, over filter width. Not a chart of its own: a
# step's script sets `headline`, loads style.gp, sets `added` (see shown.gp), and loads this. Needs the column x_floor.
load here."width_axis.gp"
load here."shown.gp"
files = "'".data."'"
times(what) = column("x_floor") * column(what) / column("median_ms")
plotted(f, what) = place(strcol("kernel"), shown) ? times(what) : NaN
of(kernel, what) = chosen(kernel) ? times(what) : NaN
logarithmic = 1
at_least_to = 1
load here."value_axis.gp"
set yrange [bottom:top]
load here."log_tics.gp"
set ylabel "times the floor, logarithmic"

legend_titles = "'floor, see roofline/' ".shown." ".cut_entry
load here."legend.gp"
plot 1 with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "floor, see roofline/", \
     for [k in shown] data using "filter_width":(of(k, "median_ms")):(cut(of(k, "low_ms"))):(cut(of(k, "high_ms"))) \
         with yerrorlines linecolor rgb colour(k) pointtype look(k, markers) dashtype look(k, dashes) \
         linewidth 1.3 pointsize point_size title k, \
     for [end in "low_ms high_ms"] data using "filter_width":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : "")
