# The ladder: one bar a kernel, in the order of the steps, at one filter width.
#     gnuplot -e "data='ladder.csv'; out='ladder.svg'" ladder.gp
# With data2='...', another device's CSV, there is a second panel, with a scale of its own.
load system("dirname '".ARG0."'")."/csv.gp"

width = int(ask("width", data))
measured_at(file) = ask(sprintf("kernels -v at=%d", width), file)
if (!exists("data2")) data2 = ""
panels = data2 eq "" || measured_at(data2) eq "" ? 1 : 2
headline = sprintf("The ladder at %d x %d: rate, and time in %% of Convolve's", width, width)

# In the order of kernels.csv; kernels that it does not list come last.
kernels = joined(kernels_in(data), panels == 2 ? kernels_in(data2) : "")
kernels = joined(common(all_kernels, kernels), kernels)
height = 125 + 16 * panels + 24 * words(kernels)  # so that each bar has the same thickness
load here."style.gp"

set label 2 ""
set tmargin at screen 1 - y(60 + 16 * panels)
set bmargin at screen y(60)
set key off
set xlabel "Gpixel/s (higher is better)"
set ytics noenhanced scale 0 ()
do for [i=1:words(kernels)] { set ytics add (word(kernels, i) -i) }
if (exists("out")) { unset grid; set grid xtics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

row(kernel) = -place(kernel, kernels)
at_width(value) = column("filter_width") == width ? value : NaN
rate(ms) = at_width(column("gpixels_per_s") * column("median_ms") / ms)
colour(kernel) = kernel eq "OpenMP" ? 0x999999 : kernel eq "Convolve" ? 0x404040 : 0x0072b2
three_digits(x) = sprintf(x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : x >= 0.9995 ? "%.2f" : x >= 0.09995 ? "%.3f" : "%.4f", x)
text(rate, percent) = three_digits(rate)." (".three_digits(percent)." %)"
# The distance of the tics: 1, 2 or 5 times a power of ten, for two to five of them.
power(x) = 10.0**floor(log10(x))
step(x) = power(x) * (x < 2 * power(x) ? 0.5 : x < 5 * power(x) ? 1 : 2)
left(panel) = panel == 1 ? 0.30 : 0.665
right(panel) = panel == panels ? 0.98 : 0.63

set multiplot
do for [panel=1:panels] {
    file = panel == 1 ? data : data2
    set yrange [*:*]  # stats leaves out what lies outside
    stats file using (at_width(column("gpixels_per_s"))) nooutput name "RATE"
    set xrange [0:RATE_max * (panels == 1 ? 1.25 : 1.6)]  # room for the longest bar's label
    set xtics step(RATE_max)
    set yrange [-words(kernels) - 0.6:-0.4]
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == 2) {
        unset ytics  # the names stand at the first panel
        unset label 1
    }
    set label 2 (panels == 1 ? subtitle(file) : shorten(head(file, "device"), panel == 1 ? 66 : 36)."\n".image(file)) \
        at screen (panel == 1 ? 0.02 : left(2)), screen 1 - y(47)
    # A row without a bar says so.
    measured = measured_at(file)
    do for [i=1:words(kernels)] {
        note = place(word(kernels, i), measured) ? "" : "not run"
        set label 10 + i note at first 0, first -i offset 0.8,0 font ",12" textcolor rgb "#707070"
    }
    plot file using (0):(row(strcol("kernel"))):(0):(at_width(column("gpixels_per_s"))):(row(strcol("kernel")) - 0.36):(row(strcol("kernel")) + 0.36):(colour(strcol("kernel"))) \
             with boxxyerror fillstyle solid 1 noborder linecolor rgb variable, \
         file using (at_width(column("gpixels_per_s"))):(row(strcol("kernel"))):(rate(column("high_ms"))):(rate(column("low_ms"))) \
             with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5, \
         file using (rate(column("low_ms"))):(row(strcol("kernel"))):(text(column("gpixels_per_s"), column("relative_percent"))) \
             with labels left offset 0.6,0 font ",12"
}
unset multiplot
