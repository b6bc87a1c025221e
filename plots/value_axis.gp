# The range of the axis of values. It follows the medians: an interval may widen it a little, but one that would stretch
# it is cut off at the edge and ends in an arrow there. Reads
#     files           a list of CSVs
#     plotted(f, what)  a row's value by its column `what`, median_ms, low_ms or high_ms; NaN if the row of file f is not drawn
#     at_least_to     (optional) the axis goes at least to this value
#     logarithmic     whether the axis is
# and sets bottom and top; the caller sets the range.
median_most = 0
reach_most = 0
median_least = 1e300
reach_least = 1e300
do for [f=1:words(files)] {
    do for [what in "median_ms low_ms high_ms"] {
        stats word(files, f) using (plotted(f, what)) nooutput name "VALUE"
        if (what eq "median_ms") {
            median_most = VALUE_max > median_most ? VALUE_max : median_most
            median_least = VALUE_min < median_least ? VALUE_min : median_least
        }
        reach_most = VALUE_max > reach_most ? VALUE_max : reach_most
        reach_least = VALUE_min < reach_least ? VALUE_min : reach_least
    }
}
room_most = 1.4 * median_most
room_least = median_least / 1.4
top = 1.06 * (reach_most < room_most ? reach_most : room_most)
bottom = logarithmic ? (reach_least > room_least ? reach_least : room_least) / 1.06 : 0
if (exists("at_least_to")) {
    if (1.04 * at_least_to > top) { top = 1.04 * at_least_to }
    if (logarithmic && at_least_to / 1.06 < bottom) { bottom = at_least_to / 1.06 }
}
cut(x) = x > top ? top : x < bottom ? bottom : x
is_cut = reach_most > top || reach_least < bottom

# An arrow from the median to the edge, for `with vectors`; where nothing is cut off it lies outside of the picture, because
# gnuplot warns of a curve without a single point.
aside = logarithmic ? bottom / 1000 : bottom - 2 * (top - bottom)
leaves(end) = end > top || end < bottom
arrow_from(f, end) = leaves(plotted(f, end)) ? plotted(f, "median_ms") : aside
arrow_by(f, end) = leaves(plotted(f, end)) ? cut(plotted(f, end)) - plotted(f, "median_ms") : 0
cut_look = 'head filled size screen 0.012,22 linewidth 1.3'
cut_title = is_cut ? "interval goes on" : ""
cut_entry = is_cut ? "'interval goes on'" : ""  # for the legend's list
