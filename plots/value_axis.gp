# The range of the axis of values. It follows the medians, but not a single one that is far above all others; gnuplot cuts
# off what goes on beyond it. Reads
#     files           a list of CSVs
#     plotted(f, what)  a row's value by its column `what`, median_ms, low_ms or high_ms; NaN if the row of file f is not drawn
#     also            (optional) numbers that the axis must have, as words
#     logarithmic     whether the axis is
# and sets bottom and top; the caller sets the range.
top = 0
bottom = 1e300
do for [f=1:words(files)] {
    stats word(files, f) using (plotted(f, "median_ms")) nooutput name "VALUE"
    if (VALUE_records > 12 && VALUE_min < VALUE_max) {
        stats word(files, f) using (plotted(f, "median_ms") < VALUE_max ? plotted(f, "median_ms") : NaN) nooutput name "OTHERS"
        VALUE_max = VALUE_max > 2.5 * OTHERS_max ? OTHERS_max : VALUE_max
    }
    top = 1.2 * VALUE_max > top ? 1.2 * VALUE_max : top
    bottom = VALUE_min / 1.2 < bottom ? VALUE_min / 1.2 : bottom
}
do for [number in (exists("also") ? also : "")] {
    top = 1.04 * number > top ? 1.04 * number : top
    bottom = number / 1.04 < bottom ? number / 1.04 : bottom
}
if (!logarithmic) { bottom = 0 }
cut(x) = x > top ? top : x < bottom ? bottom : x
