# Horizontal bars: gnuplot -e "data='FILE'" plots/bars.gp > chart.svg
# $series begins with its title; its columns are the row, where the bar ends, its interval, name and text. line_at and
# line_text are a line across the bars.
load "plots/style.gp"
stats $series using 2 nooutput name "END"
most = END_max
if (exists("line_at")) {
    most = line_at > most ? line_at : most
    set label line_text at line_at, graph 1 offset 0,0.6 center font ",12" textcolor rgb "#404040"
} else {
    line_at = NaN
}
# An interval that goes on far beyond the bars is cut off. The longest text has room behind the longest bar.
cut(x) = x > 1.25 * most ? 1.25 * most : x
end(ignored) = cut(column(4)) > column(2) ? cut(column(4)) : column(2)
left = (25 + 7.0 * name_length) / 800
pixels = 800 * (0.98 - left)
set xrange [0:1.1 * most * pixels / (pixels - 20 - 7 * text_length)]
set xlabel x_label
set yrange [-rows - 0.6:-0.4]
unset ytics
set grid noytics
set tmargin at screen 1 - 80.0 / height
set lmargin at screen left
set rmargin at screen 0.98
unset key
# The line crosses bars, but not the text behind one.
text_end(ignored) = end(0) + (10 + 7 * strlen(strcol(6))) * 1.1 * most / (pixels - 20 - 7 * text_length)
line_from(ignored) = line_at > end(0) && line_at < text_end(0) ? NaN : -column(1) - 0.5
plot $series using (0):(-$1):(0):2:(-$1 - 0.36):(-$1 + 0.36) with boxxyerror linestyle 1 fillstyle solid 1 noborder notitle, \
     $series using 2:(-$1):3:(cut(column(4))) with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     $series using (line_at):(line_from(0)):(0):(1) with vectors nohead linecolor rgb "#404040" linewidth 1.2 dashtype (7,5) notitle, \
     $series using (0):(-$1):5 with labels right offset -0.8,0 font ",12" notitle, \
     $series using (end(0)):(-$1):6 with labels left offset 0.6,0 font ",12" notitle
