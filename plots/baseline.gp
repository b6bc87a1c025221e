# The baseline itself: how long Convolve takes for one multiply-add, over the filter width. The charts of all steps are
# relative to Convolve, so where this curve jumps, all of theirs do.
#     gnuplot -e "data='ladder.csv'; out='baseline.svg'" baseline.gp
headline = "The baseline: Convolve's time per multiply-add"
height = 340
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"
set ylabel "ps per multiply-add"
set yrange [0:*]

# The time of the whole image, by its pixels and their w x w multiply-adds; 1 ms are 10^9 ps.
ps(what) = chosen("Convolve") ? column(what) * 1e9 / (column("width") * column("height") * column("filter_width")**2) : NaN
legend_entries = 1
load here."legend.gp"
plot data using "filter_width":(ps("median_ms")):(ps("low_ms")):(ps("high_ms")) \
         with yerrorlines linetype look("Convolve", colours) pointtype look("Convolve", markers) \
         linewidth 1.3 pointsize point_size title "Convolve"
