# Chapter 7's versions: their published gains on three GPUs of 2009 and 2010 beside the measured ones.
# data2, the same at another size, is optional.
height = 580
load "plots/style.gp"
published = "plots/published/chapter7.csv"
gpus = "'Radeon HD 6970' 'GeForce GTX 285' 'GeForce GTX 480'"
first = "Convolve_Local:tight"
# The book gives the gain by unrolling over the version that is not unrolled.
unrolled = "Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll"
base(kernel) = place(kernel, unrolled) ? "Convolve_Local" : first
# The four that the book has figures of, and, where they were measured, all of it together and an image instead.
everything = "Convolve_Local_Read4_UnrollAll"
versions = kernels_in(published)." ".common(everything." Convolve_Image", kernels_in(data))
is_drawn(kernel) = place(kernel, versions) > 0
if (minus(first." Convolve_Local ".versions, kernels_in(data)) ne "") { exit status 3 }

plotted(f, what) = is_drawn(strcol("kernel")) && column("filter_width") == 7 ? \
    cell(word(files, f), base(strcol("kernel")), 7, "relative_percent") / percent(what) : NaN
logarithmic = 0
stats published using (is_drawn(strcol("kernel")) ? column("factor") : NaN) nooutput name "FACTOR"
also = sprintf("%g", FACTOR_max)
load "plots/value_axis.gp"

sizes = head(data, "size").(exists("data2") ? " and ".head(data2, "size") : "")
set label 2 shorten(device(data)." · ".sizes.", ".source(data), 105)

# The notes between the axis and the legend, as the axis' name.
notes = "Gain by unrolling: over the same version without it; the others: over ".first.".\n".\
    "Hatched: printed as a gain in memory performance."
set xlabel "\n".notes font ",12"
set key width -5
set yrange [0:1.06 * top]  # room for the numbers above the bars
set ylabel "speed-up (higher is better)"
set errorbars @interval_look
set xrange [0.45:words(versions) + 0.55]
# Without the names' common beginning, "Convolve_".
named = kernels_in(published)." ".everything." Convolve_Image"
names = "'rows aligned' 'float4 reads' 'inner loop unrolled' 'both loops unrolled' 'everything together' 'image instead'"
set xtics scale 0 font ",10.5" ()
do for [i=1:words(versions)] {
    set xtics add (word(names, place(word(versions, i), named))."\n".substr(word(versions, i), 10, strlen(word(versions, i))) i)
}
set grid noxtics

# Bars stand side by side in a group: the GPUs of the book, then the measured ones.
bars = words(gpus) + words(files)
step = 0.9 / bars
centre(bar) = is_drawn(strcol("kernel")) ? place(strcol("kernel"), versions) + (bar - (bars + 1) / 2.0) * step : NaN
gpu(name) = place(name, gpus)
colour(bar) = int(word("2 3 4 6 1", bar))
# No figure, no bar. What is printed as a gain in memory performance is hatched.
memory(id) = id eq "C7.1" || id eq "C7.2"
figure(hatched) = memory(strcol("id")) == hatched && strcol("factor") ne "" ? column("factor") : NaN
its(f, column) = cell(word(files, f), "Convolve_Local", 7, column)
title_of(f) = sprintf("measured: %s, groups of %d x %d", head(word(files, f), "size"), its(f, "local_x"), its(f, "local_y"))
label_of(x) = sprintf(x < 9.995 ? "%.2f" : "%.1f", x)
printed = 'published using (centre(gpu(strcol("device")))):(figure(1)):(step * 0.9):(colour(gpu(strcol("device")))) \
        with boxes linecolor variable fillstyle pattern 4 border notitle, \
    published using (centre(gpu(strcol("device")))):(strcol("factor") eq "" ? 1.06 : NaN):(strcol("printed")) \
        with labels left rotate by 90 font ",10" textcolor rgb "#505050" notitle, '
eval 'plot 1 with lines linecolor rgb "#707070" linewidth 1.2 notitle, \
    for [g=1:words(gpus)] keyentry with boxes linecolor colour(g) fillstyle solid 0.6 noborder title "published: ".word(gpus, g), \
    published using (centre(gpu(strcol("device")))):(figure(0)):(step * 0.9):(colour(gpu(strcol("device")))) \
        with boxes linecolor variable fillstyle solid 0.6 noborder notitle, \
    published using (centre(gpu(strcol("device")))):"factor":(strcol("factor")) \
        with labels offset 0,0.6 font ",8.5" notitle, '.printed.\
   'for [f=1:words(files)] word(files, f) using (centre(3 + f)):(plotted(f, "median_ms")):(plotted(f, "high_ms")):(plotted(f, "low_ms")):(step * 0.9) \
        with boxerrorbars fillstyle solid 1 noborder linecolor colour(3 + f) title title_of(f), \
    for [f=1:words(files)] word(files, f) using (centre(3 + f)):(cut(plotted(f, "low_ms"))):(label_of(plotted(f, "median_ms"))) \
        with labels offset 0,0.6 font ",8.5" notitle'
