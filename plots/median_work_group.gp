# Time of the median kernels over the size of their work-groups, relative to 64 work-items.
#     gnuplot -e "data='median_work_groups.csv'; out='median_work_group.svg'" median_work_group.gp
headline = "Median filter: time over the size of the work-group"
load system("dirname '".ARG0."'")."/style.gp"
shown = kernels_in(data)
load here."median_look.gp"

array usual[words(shown)]
group(number) = strcol("experiment") eq "group" ? number : NaN
do for [i=1:words(shown)] {
    stats data using (chosen(word(shown, i)) && column("work_group") == 64 ? group(column("median_ms")) : NaN) nooutput name "USUAL"
    usual[i] = USUAL_max
}
measured_value(what) = group(100.0 * column(what) / usual[place(strcol("kernel"), shown)])
over = "work_group"
logarithmic = 1
also = "100"
set logscale x 2
set xrange [0.8:1300]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
set xlabel "work-items in a work-group, all in a row, logarithmic"
set ylabel "% of the time with 64, logarithmic"
# The multiples of 64 are filled; the filled markers are the next numbers.
full(kernel) = int(column("work_group")) % 64 == 0 ? of(kernel, "median_ms") : NaN
last = 'for [k in shown] data using "work_group":(full(k)) with points linecolor rgb colour(k) pointtype look(k, markers) + 1 \
    pointsize 1.3 * point_size title k.", multiple of 64"'
load here."curves.gp"
