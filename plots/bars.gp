# Horizontal bars with a number at the end of each: how long the axis is. It follows the medians: an interval may widen it
# a little, but one that would stretch it is cut off and ends in an arrow, and the number stands behind that.
# The caller sets bar_end, where intervals are cut off, by reach(), and the axis by axis_end().
bar_end = 0
cut(x) = x > bar_end ? bar_end : x
# The end of the axis, with room for a number of so many letters in a panel of wide_px pixels.
axis_end(letters, wide_px) = bar_end * wide_px / (wide_px - 14.0 - 7.6 * letters)
# Where the intervals end, at most, by the longest bar and the end of the longest interval.
reach(most_median, most_reach) = most_reach < 1.25 * most_median ? most_reach : 1.25 * most_median
three_digits(x) = sprintf(x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : x >= 0.9995 ? "%.2f" : x >= 0.09995 ? "%.3f" : "%.4f", x)
# The distance of the tics: 1, 2 or 5 times a power of ten, for two to five of them.
power(x) = 10.0**floor(log10(x))
tic_step(x) = power(x) * (x < 2 * power(x) ? 0.5 : x < 5 * power(x) ? 1 : 2)
# For `with vectors`; what is not cut off lies outside of the picture, because gnuplot warns of a curve without a point.
arrow_from(median, end) = end > bar_end ? median : -bar_end
arrow_by(median, end) = end > bar_end ? bar_end - median : 0
cut_look = 'head filled size screen 0.01,22 linewidth 1.5 linecolor rgb "#d55e00"'
