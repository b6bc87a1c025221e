# Edge conditions: each way's time relative to the branches, at one or two sizes.
#     gnuplot -e "data='edge_conditions-1920x1080.csv'; data2='edge_conditions-7680x4320.csv'; out='edge_conditions.svg'" \
#         edge_conditions.gp
# data2, the same at another size, is optional.
load system("dirname '".ARG0."'")."/csv.gp"
files = "'".data."'".(exists("data2") ? " '".data2."'" : "")
first = "Smooth_Branches"

# The baseline is the line at 100 %; the others have a group of bars each, in the order of the file.
ways = kernels_in(data)
if (exists("data2")) ways = joined(ways, kernels_in(data2))
ways = ways[strlen(first) + 2:]
headline = "Edge conditions: time relative to a branch for each neighbour"
height = 165 + 44 * words(ways)
load here."style.gp"

sizes = ""
legend_titles = ""
do for [i=1:words(files)] {
    sizes = sizes.(i == 1 ? "" : " and ").head(word(files, i), "size")
    legend_titles = legend_titles."'".head(word(files, i), "size")."' "
}
set label 2 shorten(shorten(head(data, "device"), 62)." · ".sizes.", ".head(data, "image").(ask("clock", data) eq "host" ? " · host clock" : ""), 105)
load here."legend.gp"
set lmargin at screen 0.30
set bmargin at screen y(95)

# Bars begin at 100 %, to the left what is faster. On a logarithmic scale half the time and twice the
# time are equally far from it.
is_way(kernel) = place(kernel, ways) > 0
relative(what) = is_way(strcol("kernel")) ? column("relative_percent") * column(what) / column("median_ms") : NaN
plotted(f, what) = relative(what)
logarithmic = 1
at_least_to = 100
load here."value_axis.gp"
set logscale x
# Room for the numbers, which stand at the ends of the bars' intervals: 80 of 540 pixels at each end that has some.
span = log(top / bottom)
set xrange [bottom * exp(-0.19 * span) : top * exp(0.19 * span)]
set xtics ()
do for [tic in (top / bottom < 4 ? "25 30 40 50 60 70 80 90 100 110 120 140 160 200 250 300 400" : \
                                   "10 20 50 100 200 500 1000 2000 5000 10000 20000")] {
    set xtics add (tic int(tic))
}
set xlabel "% of the time of ".first.", logarithmic (lower is faster)"
set ytics noenhanced scale 0 ()
do for [i=1:words(ways)] { set ytics add (word(ways, i) -i) }
set yrange [-words(ways) - 0.6:-0.4]
if (exists("out")) { unset grid; set grid xtics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }
set arrow 1 from first 100, graph 0 to first 100, graph 1 nohead linetype 1 linewidth 1.5 front

thickness = 0.76 / words(files)
centre(i) = -place(strcol("kernel"), ways) + (0.5 * (words(files) + 1) - i) * thickness
colour(i) = int(word("6 2", i))
slower(ignored) = column("relative_percent") >= 100
text(percent) = sprintf(percent < 1000 ? "%.1f %%" : "%.0f %%", percent)

plot \
     for [i=1:words(files)] word(files, i) using (100):(centre(i)):(100):(relative("median_ms")):(centre(i) - 0.46 * thickness):(centre(i) + 0.46 * thickness) \
         with boxxyerror fillstyle solid 1 noborder linecolor colour(i) title head(word(files, i), "size"), \
     for [i=1:words(files)] word(files, i) using (relative("median_ms")):(centre(i)):(cut(relative("low_ms"))):(cut(relative("high_ms"))) \
         with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5 notitle, \
     for [end in "low_ms high_ms"] for [i=1:words(files)] word(files, i) using (arrow_from(i, end)):(centre(i)):(arrow_by(i, end)):(0) \
         with vectors @cut_look linecolor rgb "#d55e00" notitle, \
     for [i=1:words(files)] word(files, i) using (cut(relative("high_ms"))):(centre(i)):(slower(0) ? text(column("relative_percent")) : "") \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [i=1:words(files)] word(files, i) using (cut(relative("low_ms"))):(centre(i)):(slower(0) ? "" : text(column("relative_percent"))) \
         with labels right offset -0.6,0 font ",12" notitle
