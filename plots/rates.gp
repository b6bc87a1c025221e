# Horizontal bars of rates, each with its interval and a number behind it; ladder.gp and median.gp load this. The axis follows
# the medians: an interval that goes on far beyond them is cut off, and the number stands behind that.
rate(ms) = column("gpixels_per_s") * column("median_ms") / ms
cut(x) = x > 1.25 * most ? 1.25 * most : x
# The axis for the highest rate, `most`, with room for a number of so many letters in a panel of wide_px pixels, and two to
# five tics: their distance is 1, 2 or 5 times a power of ten.
set_axis = 'set xrange [0:1.25 * most * wide_px / (wide_px - 14.0 - 7.6 * letters)]; set xtics tic_step(most)'
power(x) = 10.0**floor(log10(x))
tic_step(x) = power(x) * (x < 2 * power(x) ? 0.5 : x < 5 * power(x) ? 1 : 2)
set xlabel "Gpixel/s (higher is better)"
set ytics noenhanced scale 0 font ",12" ()
set grid noytics

# Reads row(kernel), -1 for the first bar, and is_bar(kernel); text() is the number behind the bar.
bar_row(ignored) = is_bar(strcol("kernel")) ? row(strcol("kernel")) : NaN
bars = 'using (0):(bar_row(0)):(0):(rate(column("median_ms"))):(bar_row(0) - 0.36):(bar_row(0) + 0.36):(bar_colour(strcol("kernel"))) \
    with boxxyerror fillstyle solid 1 noborder linecolor rgb variable notitle'
intervals = 'using (rate(column("median_ms"))):(bar_row(0)):(rate(column("high_ms"))):(cut(rate(column("low_ms")))) \
    with xerrorbars pointtype 0 @interval_look notitle'
numbers = 'using (cut(rate(column("low_ms")))):(bar_row(0)):(text(0)) with labels left offset 0.6,0 font ",12" notitle'
