# Curves: gnuplot -e "data='FILE'" plots/curves.gp > chart.svg
# Each curve of $curves, $floor and $marks begins with its title; its columns are x, y and the interval of y.
load "plots/style.gp"
stats $curves using 1 nooutput name "X"
stats $curves using 2 nooutput name "Y"
first = X_min
last = X_max
bottom = Y_min
top = Y_max
if (exists("$marks")) {
    stats $marks using 1 nooutput name "X"
    first = X_min < first ? X_min : first
    last = X_max > last ? X_max : last
}
if (exists("$floor")) {
    stats $floor using 2 nooutput name "Y"
    bottom = Y_min < bottom ? Y_min : bottom
    top = Y_max > top ? Y_max : top
}
# The time grows with the square of the filter width: only a logarithmic axis shows both ends.
is_percent = kind eq "percent" || kind eq "work_groups"
y_log = is_percent ? top > 300 || top > 100 * bottom : kind ne "taps"
level = kind eq "floor" ? 1 : is_percent ? 100 : NaN
top = 1.15 * (level > top ? level : top)
bottom = y_log ? (level < bottom ? level : bottom) / 1.15 : 0

set ylabel (kind eq "time" ? "median time in ms" : kind eq "taps" ? "ps per multiply-add" : kind eq "rate" ? "Gpixel/s (higher is better)" : \
    kind eq "floor" ? "times the floor" : kind eq "work_groups" ? "% of the time with 64" : "% of ".baseline."'s time (lower is faster)"). \
    (y_log ? ", logarithmic" : "")
set yrange [bottom:top]
if (y_log) {
    set logscale y
    set ytics ()
    do for [power=-6:7] { do for [d in digits(top / bottom)] { set ytics add (sprintf("%g", d * 10.0**power) d * 10.0**power) } }
}
set xrange [first - 1:last + 1]
# Grid lines at the multiples of four, where the sawtooth has its minima.
set xtics 0, (last - first > 9 ? 4 : 1)
set xlabel "filter width (pixels)"
if (kind eq "work_groups") {
    set xlabel "work-items in a work-group, all in a row, logarithmic"
    set logscale x 2
    set xrange [0.8:1300]
    set xtics 1, 2, 1024
}

level_line = level != level ? "" : kind eq "floor" ? 'level with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "floor",' : \
    'level with lines linecolor rgb "black" linewidth 2 title (kind eq "percent" ? baseline." = 100 %" : "100 %"),'
floor_line = !exists("$floor") ? "" : '$floor using 1:2 every ::1 with lines '.(kind eq "rate" ? 'linecolor rgb "#c0c0c0" linewidth 5 title "roofline",' : \
    'linecolor rgb "#505050" linewidth 1.2 dashtype (7,5) title "floor",')
marks_too = exists("$marks") ? ', for [i=1:marks] $marks index i - 1 using 1:2 with points linestyle 100 + i title columnheader(1)' : ''
# The intervals are thin, so that a long one is not louder than the curve.
plot @level_line @floor_line \
     for [i=1:curves] $curves index i - 1 using 1:2:3:4 every ::1 with yerrorbars linestyle i pointtype 0 linewidth 0.6 notitle, \
     for [i=1:curves] $curves index i - 1 using 1:2 with linespoints linestyle i linewidth 1.3 pointsize 0.75 title columnheader(1) @marks_too
