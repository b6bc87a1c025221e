# Time of the median kernels over the size of their work-groups, relative to 64 work-items.
load "plots/style.gp"
# On a CPU no size wastes a part of a warp.
if (!is_gpu(data)) { exit status 3 }
shown = kernels_in(data)
known = shown
added = shown
colours = "1 6 4 8"
markers = "6 4 8 10"
dashes = "1 2 3 4"
logarithmic = 1
set logscale x 2
array usual[words(shown)]
do for [i=1:words(shown)] {
    stats data using (chosen(word(shown, i)) && column("work_group") == 64 ? column("median_ms") : NaN) nooutput name "USUAL"
    usual[i] = USUAL_max
}
measured_value(what) = 100.0 * column(what) / usual[place(strcol("kernel"), shown)]
over = "work_group"
also = "100"
set xrange [0.8:1300]
set xtics 1, 2, 1024
set xlabel "work-items in a work-group, all in a row, logarithmic"
set ylabel "% of the time with 64, logarithmic"
# The multiples of 64 are filled; the filled markers are the next numbers.
full(kernel) = int(column("work_group")) % 64 == 0 ? of(kernel, "median_ms") : NaN
last = ', for [k in shown] data using "work_group":(full(k)) with points linecolor rgb colour(k) pointtype look(k, markers) + 1 \
    pointsize 1.3 * point_size title k.", multiple of 64"'
load "plots/curves.gp"
