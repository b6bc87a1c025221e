# Curves: a row's value over one of its columns, a curve for each kernel. Not a chart of its own: a script sets
#     shown           the kernels
#     measured_value(what)  a row's value by its column `what`, median_ms, low_ms or high_ms; NaN if the row is not drawn
#     logarithmic     whether the axis of values is; also: see value_axis.gp
#     over            the column of the other axis; filter_width if it is not set
#     data2           (optional) another CSV of these kernels, whose values are on the axis as well
#     first, last     (optional) what is plotted before and after the curves; `last` begins with a comma
# and loads this. It may redefine colour(k), thickness(k) and title_of(k).
if (!exists("over")) { over = "filter_width" }
# Unless the script has its own.
if (!exists("last")) { last = "" }
if (!exists("GPFUN_thickness")) { thickness(kernel) = 1.3 }
if (!exists("GPFUN_title_of")) { title_of(kernel) = kernel }
plotted(f, what) = place(strcol("kernel"), shown) ? measured_value(what) : NaN
of(kernel, what) = chosen(kernel) ? measured_value(what) : NaN
if (over eq "filter_width") {
    # The widths in `data`, and those of the published points, if there are some.
    stats data using "filter_width" nooutput name "WIDTH"
    set xrange [WIDTH_min - 1:(exists("published") && WIDTH_max < 24 ? 24 : WIDTH_max) + 1]
    # Grid lines at the multiples of four, where the sawtooth has its minima.
    if (WIDTH_max - WIDTH_min > 9) { set xtics 0,4 } else { set xtics 0,1 }
    set xlabel "filter width (pixels)"
}
load "plots/value_axis.gp"
set yrange [bottom:top]
if (logarithmic) { load "plots/log_tics.gp" }
# The intervals are thin, so that a long one is not louder than the curve.
curve(file, dash, name) = 'for [k in shown] '.file.' using over:(of(k, "median_ms")):(of(k, "low_ms")):(of(k, "high_ms")) \
     with yerrorbars linecolor rgb colour(k) pointtype 0 linewidth 0.6 notitle, \
     for [k in shown] '.file.' using over:(of(k, "median_ms")) with linespoints linecolor rgb colour(k) pointtype look(k, markers) \
     dashtype '.dash.' linewidth thickness(k) pointsize point_size title '.name
if (exists("data2")) { last = ", ".curve("data2", "2", 'k.", 32 x 8"').last }
eval "plot ".(exists("first") ? first.", " : "").curve("data", "look(k, dashes)", "title_of(k)").last
