# Curves: gnuplot -e "data='FILE'" plots/curves.gp > chart.svg
# Each curve of $series begins with its title; its columns are x, y and the interval of y.
load "plots/style.gp"
stats $series using 1 nooutput name "X"
stats $series using 2 nooutput name "Y"
set xlabel x_label
set xrange [X_min - 1:X_max + 1]
# Grid lines at the multiples of four, where the sawtooth has its minima.
set xtics 0, (X_max - X_min > 9 ? 4 : 1)
# Of the tics of a logarithmic axis: 1, 2 and 5 times the powers of ten; where it is short more, where it is long fewer.
digits(ratio) = ratio < 3 ? "1 1.1 1.2 1.3 1.4 1.6 1.8 2 2.5 3 4 5 6 7 8 9" : ratio < 20 ? "1 1.5 2 3 4 5 7" : ratio < 1e5 ? "1 2 5" : "1"
if (x_log) {
    set logscale x
    set xrange [X_min / 1.2:X_max * 1.2]
    set xtics ()
    do for [power=-3:3] { do for [d in digits(X_max / X_min)] { set xtics add (sprintf("%g", d * 10.0**power) d * 10.0**power) } }
}
# The time grows with the square of the filter width: only a logarithmic axis shows both ends.
y_log = !is_percent || Y_max > 300 || Y_max > 30 * Y_min
set ylabel y_label.(y_log ? ", log scale" : "")
set yrange [y_log ? Y_min / 1.15 : 0:1.15 * Y_max]
if (y_log) {
    set logscale y
    set ytics ()
    do for [power=-6:7] { do for [d in digits(Y_max / Y_min)] { set ytics add (sprintf("%g", d * 10.0**power) d * 10.0**power) } }
}
# The intervals are thin, so that a long one is not louder than the curve.
plot $series using 1:2:3:4 with yerrorbars pointtype 0 linewidth 0.6 linecolor rgb "#909090" notitle, \
     for [i=1:series] $series index i - 1 using 1:2 with linespoints linestyle i title columnheader(1)
