# Time of the median kernels over the size of their work-groups, relative to 64 work-items, or per work-item over the size
# of the NDRange, with the deck's minimum for its GPU (CH.3).
by_group = chart eq "median_work_group"
load system("dirname '".ARG0."'")."/style.gp"
# On a CPU no size wastes a part of a warp.
if (by_group && !is_gpu(data)) { exit status 3 }
shown = kernels_in(data)
known = shown
added = shown
colours = "1 6 4 8"
markers = "6 4 8 10"
dashes = "1 2 3 4"
of_experiment(number) = strcol("experiment") eq (by_group ? "group" : "global") ? number : NaN
logarithmic = 1
published_look = "linetype published_colour linewidth 1.5 dashtype 2"
set logscale x 2
if (by_group) {
    array usual[words(shown)]
    do for [i=1:words(shown)] {
        stats data using (chosen(word(shown, i)) && column("work_group") == 64 ? of_experiment(column("median_ms")) : NaN) nooutput name "USUAL"
        usual[i] = USUAL_max
    }
    measured_value(what) = of_experiment(100.0 * column(what) / usual[place(strcol("kernel"), shown)])
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
} else {
    stats data using (of_experiment(column("items"))) nooutput name "ITEMS"
    measured_value(what) = of_experiment(column("ns_per_item") * column(what) / column("median_ms"))
    over = "items"
    set xrange [0.7:ITEMS_max * 1.4]
    set xtics ()
    do for [power=0:28:2] { set xtics add (sprintf("%d%s", 2**(power % 10), word("'' K M", power / 10 + 1)) 2.0**power) }
    set xlabel "work-items in the NDRange, logarithmic (K = 1024)"
    set ylabel "ns per work-item, logarithmic"
    set arrow 1 from 1280, graph 0 to 1280, graph 1 nohead @published_look
    set arrow 2 from 2560, graph 0 to 2560, graph 1 nohead @published_look
    last = ', keyentry with lines @published_look title "published: 1280 and 2560 for the HD 4870"'
}
load here."curves.gp"
