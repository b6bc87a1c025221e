# Time of the median kernels over the size of their work-groups, relative to 64 work-items.
#     gnuplot -e "data='median_work_groups.csv'; out='median_work_group.svg'" median_work_group.gp
headline = "Median filter: time over the size of the work-group"
load system("dirname '".ARG0."'")."/style.gp"
kernels = kernels_in(data)
colour_of = "1 6 4 8"

array usual[words(kernels)]
group(kernel, value) = strcol("experiment") eq "group" && chosen(kernel) ? value : NaN
do for [i=1:words(kernels)] {
    stats data using (group(word(kernels, i), column("work_group") == 64 ? column("median_ms") : NaN)) nooutput name "USUAL"
    usual[i] = USUAL_max
}
percent(i, what) = group(word(kernels, i), 100.0 * column(what) / usual[i])
full(i, what) = int(column("work_group")) % 64 == 0 ? percent(i, what) : NaN

least = 100.0
most = 100.0
do for [i=1:words(kernels)] {
    stats data using (percent(i, "low_ms")) nooutput name "LOW"
    stats data using (percent(i, "high_ms")) nooutput name "HIGH"
    least = LOW_min < least ? LOW_min : least
    most = HIGH_max > most ? HIGH_max : most
}

legend_entries = 2 * words(kernels)
load here."legend.gp"
set logscale x 2
set logscale y
set xrange [0.8:1300]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
set xlabel "work-items in a work-group, all in a row"
set ylabel "% of the time with 64 (lower is faster)"
set yrange [least * 0.9:most * 1.1]
set ytics ()
do for [tic in (most / least < 4 ? "50 60 70 80 90 100 120 150 200 250 300" : "20 30 50 70 100 150 200 300 500 1000 2000 3000 5000 10000")] {
    set ytics add (tic int(tic))
}
plot for [i=1:words(kernels)] data using "work_group":(percent(i, "median_ms")):(percent(i, "low_ms")):(percent(i, "high_ms")) \
         with yerrorlines linetype int(word(colour_of, i)) pointtype 6 linewidth 1.3 pointsize point_size title word(kernels, i), \
     for [i=1:words(kernels)] data using "work_group":(full(i, "median_ms")) \
         with points linetype int(word(colour_of, i)) pointtype 7 pointsize 1.3 * point_size title word(kernels, i).", multiple of 64"
