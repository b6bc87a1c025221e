# Speed-up over the number of cores: a kernel's rate with one filter, over its rate on one core.
load "plots/style.gp"
set logscale xy 2
set xrange [0.9:18]
set yrange [0.9:18]
set xlabel "cores, logarithmic"
set ylabel "speed-up over one core, logarithmic"
# The rows of a curve stand together, one core first.
speed_up(ignored) = (alone = column("cores") == 1 ? column("rate") : alone, column("rate") / alone)
of(kernel, width) = chosen(kernel) && strcol("filter_width") eq width ? speed_up(0) : NaN
plot x with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "ideal", \
     data using "cores":(of("Copy", "")) with linespoints linetype 1 pointtype 7 pointsize point_size title "copy", \
     for [k in "Convolve_Block16_Stream Convolve_Fft16"] for [w in "7 31"] data using "cores":(of(k, w)) with linespoints \
         linecolor rgb colour(k) dashtype w eq "7" ? 2 : 1 pointtype w eq "7" ? 6 : 7 pointsize point_size title k.", ".w." x ".w
