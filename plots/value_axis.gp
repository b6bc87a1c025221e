# The range of the axis of values. It follows the medians: an interval may widen it a little, but one that would stretch
# it is cut off at the edge. Reads
#     files           a list of CSVs
#     plotted(f, what)  a row's value by its column `what`, median_ms, low_ms or high_ms; NaN if the row of file f is not drawn
#     also            (optional) numbers that the axis must have, as words
#     logarithmic     whether the axis is
# and sets bottom and top; the caller sets the range.
array most[2] = [0, 0]  # of the medians, of the intervals
array least[2] = [1e300, 1e300]
do for [f=1:words(files)] {
    do for [what in "median_ms low_ms high_ms"] {
        stats word(files, f) using (plotted(f, what)) nooutput name "VALUE"
        i = what eq "median_ms" ? 1 : 2
        if (VALUE_max > most[i]) { most[i] = VALUE_max }
        if (VALUE_min < least[i]) { least[i] = VALUE_min }
    }
}
smaller(a, b) = a < b ? a : b
larger(a, b) = a > b ? a : b
top = 1.06 * smaller(most[2], 1.4 * most[1])
bottom = logarithmic ? larger(least[2], least[1] / 1.4) / 1.06 : 0
do for [number in (exists("also") ? also : "")] {
    top = larger(top, 1.04 * number)
    bottom = smaller(bottom, number / 1.06)
}
cut(x) = x > top ? top : x < bottom ? bottom : x
