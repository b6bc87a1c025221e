# The roofline: gnuplot -e "data='FILE'" plots/roofline.gp > chart.svg
# $curves and $marks are those of curves.gp, of multiply-adds/s over the filter's width. Each multiply-add is one tap of one
# pixel, and a pixel moves at least 8 bytes.
height = 560
load "plots/style.gp"
stats $curves using 2 nooutput name "VALUE"
bottom = VALUE_min / 1.2
if (!exists("bytes_compute")) { bytes_compute = 0 }
roofs = compute > bytes_compute ? compute : bytes_compute
top = 1.4 * (VALUE_max > roofs ? VALUE_max : roofs)
left = 0.4
right = 150
set logscale xy
set xrange [left:right]
set yrange [bottom:top]
set xtics ()
do for [w in "2 3 5 7 10 15 22 31"] { set xtics add (sprintf("%.1f\n%s x %s", w**2 / 8.0, w, w) w**2 / 8.0) }
set ytics ()
do for [power=-6:7] { do for [d in digits(top / bottom)] { set ytics add (sprintf("%g", d * 10.0**power) d * 10.0**power) } }
set xlabel "multiply-adds per byte, and the filter that has so many (logarithmic)" offset 0,-0.9
set ylabel "10^9 multiply-adds per second, logarithmic"

roof(x, level) = x * copy < level ? x * copy : level
slope = atan(1.0 * (height - 190) / (800 * 0.86) * log(right / left) / log(top / bottom)) * 180 / pi
set label 3 sprintf("copy: %.0f GB/s", copy) at left * 1.05, copy * left * 1.5 rotate by slope font ",12" textcolor rgb "#606060"
set label 4 sprintf("multiply-adds: %.0f", compute) at right / 1.05, compute offset 0,0.6 right font ",12" textcolor rgb "#606060"
if (bytes_compute > compute) {
    set label 5 sprintf("taps of 16 bits on bytes: %.0f", bytes_compute) at right / 1.05, bytes_compute offset 0,0.6 right font ",12" textcolor rgb "#606060"
}
set samples 1000
plot [left:right] roof(x, compute) with lines linecolor rgb "#c0c0c0" linewidth 5 notitle, \
     x * copy < compute ? NaN : roof(x, bytes_compute > compute ? bytes_compute : NaN) with lines linecolor rgb "#c0c0c0" linewidth 3 dashtype (4,4) notitle, \
     for [i=1:curves] $curves index i - 1 using ($1**2 / 8):2 with linespoints linestyle i pointsize 0.6 title columnheader(1), \
     $marks using ($1**2 / 8):2 every ::1 with points linestyle 101 notitle, \
     $marks using ($1**2 / 8):2:("you start here") every ::1 with labels offset 0,-1.5 textcolor rgb "#d55e00" font ",12.5" notitle
