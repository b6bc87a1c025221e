# The baseline itself: how long Convolve takes for one multiply-add, over the filter width. The charts of all steps are
# relative to Convolve, so where this curve jumps, all of theirs do.
#     gnuplot -e "data='ladder.csv'; out='baseline.svg'" baseline.gp
headline = "The baseline: Convolve's time per multiply-add"
height = 340
load system("dirname '".ARG0."'")."/style.gp"
load here."width_axis.gp"
set ylabel "ps per multiply-add"

# The time of the whole image, by its pixels and their w x w multiply-adds; 1 ms are 10^9 ps.
taps(ignored) = column("width") * column("height") * column("filter_width")**2
plotted(f, what) = chosen("Convolve") ? column(what) * 1e9 / taps(0) : NaN
files = "'".data."'"
logarithmic = 0
load here."value_axis.gp"
set yrange [0:top]
legend_titles = "Convolve ".cut_entry
load here."legend.gp"
plot data using "filter_width":(plotted(1, "median_ms")):(plotted(1, "low_ms")):(cut(plotted(1, "high_ms"))) \
         with yerrorlines linecolor rgb colour("Convolve") pointtype look("Convolve", markers) \
         linewidth 1.3 pointsize point_size title "Convolve", \
     data using "filter_width":(arrow_from(1, "high_ms")):(0):(arrow_by(1, "high_ms")) \
         with vectors @cut_look linecolor rgb "#404040" title cut_title
