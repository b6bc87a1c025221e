# Horizontal bars: gnuplot -e "data='FILE'" plots/bars.gp > chart.svg
# The columns of $bars are the row, where the bar begins and ends, its interval, colour, name and text; of $legend colour and
# text. line_at and line_text are a line across the bars.
load data
if (!exists("x_log")) { x_log = 0 }
if (!exists("line_text")) { line_text = "" }
legends = 0
if (exists("$legend")) { legends = |$legend| }
height = 125 + (bars > 12 ? 22 : 28) * bars + 24 * ((legends + 3) / 4)
load "plots/style.gp"
is_bar(ignored) = column(3) != 0 || column(2) != 0
stats $bars using (strlen(strcol(7))) nooutput name "NAME"
stats $bars using (is_bar(0) ? strlen(strcol(8)) : NaN) nooutput name "TEXT"
longer(a, b) = b > a ? b : a
stats $bars using (is_bar(0) ? longer(column(2), column(3)) : NaN) nooutput name "END"
stats $bars using (is_bar(0) ? (column(2) > 0 && column(2) < column(3) ? column(2) : column(3)) : NaN) nooutput name "BEGIN"
most = END_max
least = BEGIN_min
if (line_text ne "") {
    most = line_at > most ? line_at : most
    least = line_at < least ? line_at : least
    set arrow from line_at, graph 0 to line_at, graph 1 nohead linecolor rgb "#404040" linewidth 1.2 dashtype (7,5) front
    set label line_text at line_at, graph 1 offset 0,0.6 center font ",12" textcolor rgb "#404040"
}
# An interval that goes on far beyond the bars is cut off. The longest text has room behind the longest bar.
cut(x) = x > 1.25 * most ? 1.25 * most : x
end(ignored) = longer(longer(column(2), column(3)), cut(column(5)))
stats $bars using (is_bar(0) ? end(0) : NaN) nooutput name "END"
most = END_max > most ? END_max : most
left = (25 + 7.0 * NAME_max) / 800
pixels = 800 * (0.98 - left)
room = pixels / (pixels - 20 - 7 * TEXT_max)
if (x_log) {
    set logscale x
    from = least / 1.2
    to = from * (most / from)**room
    set xtics ()
    do for [power=-6:7] { do for [d in digits(to / from)] { set xtics add (sprintf("%g", d * 10.0**power) d * 10.0**power) } }
} else {
    from = 0
    to = 1.03 * most * room
}
set xrange [from:to]
set xlabel x_label
set yrange [-bars - 0.6:-0.4]
unset ytics
set grid noytics
set lmargin at screen left
set rmargin at screen 0.98
legend_too = legends ? ', for [i=1:legends] NaN with boxes fillstyle solid 1 noborder linecolor rgb int($legend[i][1:8]) title $legend[i][10:]' : ''
plot $bars using (from):(-$1):7 with labels right offset -0.8,0 font ",12" notitle, \
     $bars using 2:(-$1):2:3:(-$1 - 0.36):(-$1 + 0.36):(int(strcol(6))) with boxxyerror fillstyle solid 1 noborder linecolor rgb variable notitle, \
     $bars using 3:(-$1):4:(cut(column(5))) with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     $bars using (end(0)):(-$1):8 with labels left offset 0.6,0 font ",12" notitle \
     @legend_too
