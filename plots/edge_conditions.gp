# Edge conditions: each way's time relative to the branches, at two sizes.
# The baseline is the line at 100 %; the others have a group of bars each, in the order of the file.
baseline = "Smooth_Branches"
ways = minus(joined(kernels_in(data), kernels_in(data2)), baseline)
height = 165 + 44 * words(ways)
load "plots/style.gp"
set label 2 shorten(device(data)." · ".head(data, "size")." and ".head(data2, "size").", ".source(data), 105)
set lmargin at screen 0.30

# Bars begin at 100 %, to the left what is faster. On a logarithmic scale half the time and twice the
# time are equally far from it.
plotted(f, what) = place(strcol("kernel"), ways) ? percent(what) : NaN
logarithmic = 1
also = "100"
load "plots/value_axis.gp"
set logscale x
# Room for the numbers, which stand at the ends of the bars' intervals: 80 of 540 pixels at each end that has some.
span = log(top / bottom)
set xrange [bottom * exp(-0.19 * span) : top * exp(0.19 * span)]
set xtics ()
do for [tic in (top / bottom < 4 ? "25 30 40 50 60 70 80 90 100 110 120 140 160 200 250 300 400" : \
                                   "10 20 50 100 200 500 1000 2000 5000 10000 20000")] {
    set xtics add (tic int(tic))
}
set xlabel "% of the time of ".baseline.", logarithmic (lower is faster)"
set ytics noenhanced scale 0 ()
do for [i=1:words(ways)] { set ytics add (word(ways, i) -i) }
set yrange [-words(ways) - 0.6:-0.4]
set grid noytics
set arrow 1 from first 100, graph 0 to first 100, graph 1 nohead linetype 1 linewidth 1.5 front

thickness = 0.38
centre(f) = -place(strcol("kernel"), ways) + (1.5 - f) * thickness
text(percent) = sprintf(percent < 1000 ? "%.1f %%" : "%.0f %%", percent)
slower(f) = plotted(f, "median_ms") >= 100
plot for [f=1:2] word(files, f) using (100):(centre(f)):(100):(plotted(f, "median_ms")):(centre(f) - 0.46 * thickness):(centre(f) + 0.46 * thickness) \
         with boxxyerror fillstyle solid 1 noborder linecolor int(word("6 2", f)) title head(word(files, f), "size"), \
     for [f=1:2] word(files, f) using (plotted(f, "median_ms")):(centre(f)):(cut(plotted(f, "low_ms"))):(cut(plotted(f, "high_ms"))) \
         with xerrorbars pointtype 0 @interval_look notitle, \
     for [f=1:2] word(files, f) using (cut(plotted(f, "high_ms"))):(centre(f)):(slower(f) ? text(plotted(f, "median_ms")) : "") \
         with labels left offset 0.6,0 font ",12" notitle, \
     for [f=1:2] word(files, f) using (cut(plotted(f, "low_ms"))):(centre(f)):(slower(f) ? "" : text(plotted(f, "median_ms"))) \
         with labels right offset -0.6,0 font ",12" notitle
