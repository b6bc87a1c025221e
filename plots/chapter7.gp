# Chapter 7's versions: their published gains on three GPUs of 2009 and 2010 beside the measured ones.
#     gnuplot -e "data='chapter7-600x400.csv'; data2='chapter7-4096x4096.csv'; out='chapter7.svg'" chapter7.gp
# data2 and data3, the same at another size or in other work-groups, are optional. step5_published.gp draws a part of it.
if (!exists("headline")) headline = "Chapter 7: gain over the first version, 7 x 7 filter"
height = 580
load system("dirname '".ARG0."'")."/style.gp"
published = here."published/chapter7.csv"
facts = here."published/facts.csv"
gpus = "'Radeon HD 6970' 'GeForce GTX 285' 'GeForce GTX 480'"
files = "'".data."'".(exists("data2") ? " '".data2."'" : "").(exists("data3") ? " '".data3."'" : "")
first = "Convolve_Local:tight"
# The book gives the gain by unrolling over the version that is not unrolled.
unrolled = "Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll"
base(kernel) = place(kernel, unrolled) ? "Convolve_Local" : first
# The four that the book has figures of, and, where they were measured, all of it together and an image instead.
everything = "Convolve_Local_Read4_UnrollAll"
if (!exists("versions")) versions = kernels_in(published)." ".common(everything." Convolve_Image", kernels_in(data))

# The times of the two that the others are compared with.
array base_ms[2 * words(files)]
of(kernel, value) = chosen(kernel) && column("filter_width") == 7 ? value : NaN
bases = first." Convolve_Local"
do for [f=1:words(files)] {
    do for [b=1:2] {
        base_ms[2 * (f - 1) + b] = NaN
        if (place(word(bases, b), kernels_in(word(files, f)))) {
            stats word(files, f) using (of(word(bases, b), column("median_ms"))) nooutput name "BASE"
            base_ms[2 * (f - 1) + b] = BASE_max
        }
    }
}
gain(ms, f) = place(strcol("kernel"), versions) && column("filter_width") == 7 ? \
    base_ms[2 * (f - 1) + place(base(strcol("kernel")), bases)] / ms : NaN
plotted(f, what) = gain(column(what), f)
logarithmic = 0
is_drawn(kernel) = place(kernel, versions)
stats published using (is_drawn(strcol("kernel")) ? column("factor") : NaN) nooutput name "FACTOR"
at_least_to = 1.06 * FACTOR_max
load here."value_axis.gp"
top = 1.06 * top  # room for the numbers above the bars

sizes = ""
title_of(f) = "measured: ".head(word(files, f), "size").", groups of ".ask("group -v of=Convolve_Local", word(files, f))
titles = ""
do for [i=1:words(gpus)] { titles = titles."'published: ".word(gpus, i)."' " }
do for [f=1:words(files)] { titles = titles."'".title_of(f)."' " }
do for [f=1:words(files)] {
    size = head(word(files, f), "size")
    if (strstrt(sizes, size) == 0) { sizes = sizes.(sizes eq "" ? "" : " and ").size }
}
set label 2 shorten(shorten(head(data, "device"), 62)." · ".sizes.", ".head(data, "image").(ask("clock", data) eq "host" ? " · host clock" : ""), 105)
legend_titles = titles.cut_entry
load here."legend.gp"
bars = words(gpus) + words(files)

# The notes between the axis and the legend.
notes = "Gain by unrolling: over the same version without it; the others: over ".first."."
if (!place("Convolve_Local", versions)) { notes = "Gain over Convolve_Local, the version that is not unrolled." } else {
    notes = notes."\nHatched: printed as a gain in memory performance."
}
if (place(everything, versions)) {
    stats facts using (strcol("id") eq "C7.5" ? column("value") : NaN) nooutput name "RATE"
    measured = ""
    do for [f=1:words(files)] {
        stats word(files, f) using (of(everything, column("gpixels_per_s"))) nooutput name "LAST"
        measured = measured.(f == 1 ? "" : ", ").sprintf("%.3g (%s)", LAST_max, head(word(files, f), "size"))
    }
    notes = notes.sprintf("\nEverything together, in Gpixel/s: published about %g; measured %s.", RATE_max, measured)
}
note_lines = place(everything, versions) ? 3 : place("Convolve_Local", versions) ? 2 : 1
legend_px = 14 + 18 * legend_rows
set bmargin at screen y(legend_px + 18 * note_lines + 56)
set label 3 notes at screen 0.03, screen y(legend_px + 18 * note_lines) font ",12"
set ylabel "speed-up (higher is better)"
set yrange [0:top]
set xrange [0.45:words(versions) + 0.55]
set xtics scale 0 ()
# Without the names' common beginning, "Convolve_".
named = kernels_in(published)." ".everything." Convolve_Image"
names = "'rows aligned' 'float4 reads' 'inner loop unrolled' 'both loops unrolled' 'everything together' 'image instead'"
do for [i=1:words(versions)] {
    set xtics add (word(names, place(word(versions, i), named))."\n".substr(word(versions, i), 10, strlen(word(versions, i))) i)
}
set xtics font ",10.5"
if (exists("out")) { unset grid; set grid ytics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

# Bars stand side by side in a group: the GPUs of the book, then the measured ones.
step = 0.9 / bars
centre(bar) = is_drawn(strcol("kernel")) ? place(strcol("kernel"), versions) + (bar - (bars + 1) / 2.0) * step : -10  # outside of the picture
gpu(name) = place(name, gpus)
colour(bar) = int(word("2 3 4 6 1 8", bar))
memory(id) = id eq "C7.1" || id eq "C7.2"
factor(id) = memory(id) ? NaN : column("factor")
# No figure, no bar: a height of 0, because gnuplot warns of a curve without a single value.
hatched(id, name, gpu) = !memory(id) || name ne gpu ? NaN : strcol("factor") eq "" ? 0 : column("factor")
hatches = place("Convolve_Local", versions) ? words(gpus) : 0
words_only(ignored) = strcol("factor") eq "" ? 1.06 : aside
label_of(x) = sprintf(x < 9.995 ? "%.2f" : "%.1f", x)
set errorbars linewidth 1.5 linecolor rgb "#d55e00"

plot 1 with lines linecolor rgb "#707070" linewidth 1.2 notitle, \
     for [g=1:words(gpus)] keyentry with boxes linecolor colour(g) fillstyle solid 0.6 noborder title word(titles, g), \
     published using (centre(gpu(strcol("device")))):(factor(strcol("id"))):(step * 0.9):(colour(gpu(strcol("device")))) \
         with boxes linecolor variable fillstyle solid 0.6 noborder notitle, \
     for [g=1:hatches] published using (centre(g)):(hatched(strcol("id"), strcol("device"), word(gpus, g))):(step * 0.9) \
         with boxes linecolor colour(g) fillstyle pattern 4 border notitle, \
     published using (centre(gpu(strcol("device")))):"factor":(strcol("factor")) \
         with labels offset 0,0.6 font ",8.5" notitle, \
     for [i=1:(hatches > 0)] published using (centre(gpu(strcol("device")))):(words_only(0)):(strcol("printed")) \
         with labels left rotate by 90 font ",10" textcolor rgb "#505050" notitle, \
     for [f=1:words(files)] word(files, f) using (centre(3 + f)):(gain(column("median_ms"), f)):(cut(gain(column("high_ms"), f))):(cut(gain(column("low_ms"), f))):(step * 0.9) \
         with boxerrorbars fillstyle solid 1 noborder linecolor colour(3 + f) title word(titles, 3 + f), \
     for [f=1:words(files)] word(files, f) using (centre(3 + f)):(arrow_from(f, "low_ms")):(0):(arrow_by(f, "low_ms")) \
         with vectors @cut_look linecolor rgb "#404040" title (f == 1 ? cut_title : ""), \
     for [f=1:words(files)] word(files, f) using (centre(3 + f)):(cut(gain(column("low_ms"), f))):(label_of(gain(column("median_ms"), f))) \
         with labels offset 0,0.6 font ",8.5" notitle
