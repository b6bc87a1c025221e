# The rate over the number of ranks, with filters of 7 x 7 and 31 x 31: predicted, and measured on one image (strong
# scaling) and on an image that grows with the ranks (weak scaling).
load "plots/style.gp"
set logscale x 2
set logscale y
set xrange [0.9:18]
set yrange [0.04:6]
set xlabel "ranks, one core each, logarithmic"
set ylabel "Gpixel/s, logarithmic"
look(w) = word(podo, w == 7 ? 2 : 6)
of(width, value) = column("filter_width") == width ? value : NaN
above(width) = column("ranks") == 2 ? 1.6 * of(width, column("predicted")) : NaN
plot for [w in "7 31"] data using "ranks":(of(w, column("predicted"))) with lines \
         linecolor rgb look(w) linewidth 1.5 dashtype 2 notitle, \
     for [w in "7 31"] data using "ranks":(of(w, column("strong"))):(column("strong_low")):(column("strong_high")) with yerrorlines \
         linecolor rgb look(w) pointtype 7 pointsize point_size notitle, \
     for [w in "7 31"] data using "ranks":(of(w, column("weak"))) with points \
         linecolor rgb look(w) pointtype 6 pointsize 1.6 notitle, \
     for [w in "7 31"] data using "ranks":(above(w)):(w." x ".w) with labels textcolor rgb look(w) notitle, \
     keyentry with lines linecolor rgb "#606060" linewidth 1.5 dashtype 2 title "predicted", \
     keyentry with linespoints linecolor rgb "#606060" pointtype 7 pointsize point_size title "one image", \
     keyentry with points linecolor rgb "#606060" pointtype 6 pointsize 1.6 title "an image that grows"
