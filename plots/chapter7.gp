# Chapter 7's versions: their published gains on three GPUs of 2009 and 2010 beside the measured ones.
#     gnuplot -e "data='chapter7-600x400.csv'; data2='chapter7-4096x4096.csv'; out='chapter7.svg'" chapter7.gp
# data2, the same at another size, is optional.
headline = "Chapter 7: gain over the first version, 7 x 7 filter"
height = 580
load system("dirname '".ARG0."'")."/style.gp"
published = here."published/chapter7.csv"
facts = here."published/facts.csv"
gpus = "'Radeon HD 6970' 'GeForce GTX 285' 'GeForce GTX 480'"
files = "'".data."'".(exists("data2") ? " '".data2."'" : "")
first = "Convolve_Local:tight"
# The four that the book has figures of, and, where they were measured, all of it together and an image instead.
versions = kernels_in(published)." ".common("Convolve_Local_Read4_UnrollAll Convolve_Image", kernels_in(data))
together = place("Convolve_Local_Read4_UnrollAll", versions) ? 5 : 4

# The time of the first version and the rate of the one with everything, for each file.
array first_ms[2]
of(kernel, value) = chosen(kernel) && column("filter_width") == 7 ? value : NaN
measured = ""
do for [i=1:words(files)] {
    stats word(files, i) using (of(first, column("median_ms"))) nooutput name "FIRST"
    stats word(files, i) using (of(word(versions, together), column("gpixels_per_s"))) nooutput name "LAST"
    first_ms[i] = FIRST_max
    measured = measured.(i == 1 ? "" : ", ").sprintf("%.3g (%s)", LAST_max, head(word(files, i), "size"))
}
stats facts using (strcol("id") eq "C7.5" ? column("value") : NaN) nooutput name "RATE"

set label 2 shorten(head(data, "device"), 80).(ask("clock", data) eq "host" ? " · host clock" : "")
legend_entries = words(gpus) + words(files)
load here."legend.gp"
set bmargin at screen y(164)
set label 3 sprintf("Published with everything together: about %g Gpixel/s (HD 6970, GTX 480).\nMeasured with %s: %s.\n", RATE_max, together == 5 ? "everything together" : "both loops unrolled", measured). \
    "Published: hatched is a gain in memory performance; unrolled is over the version that is not unrolled." \
    at screen 0.02, screen y(94) font ",12"
set ylabel "speed-up over ".first." (higher is better)"
set yrange [0:*]
set offsets graph 0, graph 0, graph 0.05, graph 0
set xrange [0.45:words(versions) + 0.55]
set xtics scale 0 ()
# Without the names' common beginning, "Convolve_".
titles = "'rows aligned' 'float4 reads' 'inner loop unrolled' 'both loops unrolled' 'everything together' 'image instead'"
do for [i=1:words(versions)] {
    title = word(titles, word(versions, i) eq "Convolve_Image" ? 6 : i)
    set xtics add (title."\n".substr(word(versions, i), 10, strlen(word(versions, i))) i)
}
set xtics font ",10.5"
if (exists("out")) { unset grid; set grid ytics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

# Bars stand side by side in a group: the GPUs of the book, then the measured sizes.
step = 0.18
centre(bar) = place(strcol("kernel"), versions) + (bar - (legend_entries + 1) / 2.0) * step
gpu(name) = place(name, gpus)
colour(bar) = int(word("2 3 4 6 1", bar))
memory(id) = id eq "C7.1" || id eq "C7.2"
factor(id) = memory(id) ? NaN : column("factor")
# No figure, no bar: a height of 0, because gnuplot warns of a curve without a single value.
hatched(id, name, gpu) = !memory(id) || name ne gpu ? NaN : strcol("factor") eq "" ? 0 : column("factor")
is_version(kernel) = place(kernel, versions) && column("filter_width") == 7
gain(ms, file) = is_version(strcol("kernel")) ? first_ms[file] / ms : NaN
label_of(x) = sprintf(x < 9.995 ? "%.2f" : "%.1f", x)
set errorbars linewidth 1.5 linecolor rgb "#d55e00"

plot 1 with lines linetype 1 linewidth 1.5 notitle, \
     for [g=1:words(gpus)] keyentry with boxes linecolor colour(g) fillstyle solid 0.6 noborder title "published: ".word(gpus, g), \
     published using (centre(gpu(strcol("device")))):(factor(strcol("id"))):(step * 0.9):(colour(gpu(strcol("device")))) \
         with boxes linecolor variable fillstyle solid 0.6 noborder notitle, \
     for [g=1:words(gpus)] published using (centre(g)):(hatched(strcol("id"), strcol("device"), word(gpus, g))):(step * 0.9) \
         with boxes linecolor colour(g) fillstyle pattern 4 border notitle, \
     published using (centre(gpu(strcol("device")))):"factor":(strcol("factor")) \
         with labels offset 0,0.6 font ",10" notitle, \
     published using (centre(gpu(strcol("device")))):(strcol("factor") eq "" ? 1.1 : NaN):(strcol("printed")) \
         with labels left rotate by 90 font ",10" textcolor rgb "#505050" notitle, \
     for [f=1:words(files)] word(files, f) using (centre(3 + f)):(gain(column("median_ms"), f)):(gain(column("high_ms"), f)):(gain(column("low_ms"), f)):(step * 0.9) \
         with boxerrorbars fillstyle solid 1 noborder linecolor colour(3 + f) title "measured: ".head(word(files, f), "size"), \
     for [f=1:words(files)] word(files, f) using (centre(3 + f)):(gain(column("low_ms"), f)):(label_of(gain(column("median_ms"), f))) \
         with labels offset 0,0.6 font ",10" notitle
