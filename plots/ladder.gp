# The ladder: one bar a kernel, in the order of the steps, at one filter width.
#     gnuplot -e "data='ladder.csv'; out='ladder.svg'" ladder.gp
# With data2='...', another device's CSV, there is a second panel, with a scale of its own.
load system("dirname '".ARG0."'")."/csv.gp"

width = int(ask("width", data))
measured_at(file) = ask(sprintf("kernels -v at=%d", width), file)
if (!exists("data2")) data2 = ""
panels = data2 eq "" || measured_at(data2) eq "" ? 1 : 2
headline = sprintf("The ladder at %d x %d: rate, and time in %% of Convolve's", width, width)

# The OpenMP loop runs on the host's CPU: it is no result of a GPU.
drawn_in(file) = minus(measured_at(file), is_gpu(file) ? "OpenMP" : "")
# In the order of kernels.csv; kernels that it does not list come last.
kernels = joined(drawn_in(data), panels == 2 ? drawn_in(data2) : "")
kernels = joined(common(all_kernels, kernels), kernels)
height = 125 + 32 * (panels - 1) + 24 * words(kernels)  # so that each bar has the same thickness
load here."style.gp"
load here."bars.gp"

set label 2 ""
set tmargin at screen 1 - y(62 + 32 * (panels - 1))
set bmargin at screen y(60)
set key off
set xlabel "Gpixel/s (higher is better)"
set ytics noenhanced scale 0 font ",12" ()
do for [i=1:words(kernels)] { set ytics add (word(kernels, i) -i) }
if (exists("out")) { unset grid; set grid xtics linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7 }

row(kernel) = -place(kernel, kernels)
is_drawn(kernel) = place(kernel, drawn) && column("filter_width") == width
rate(ms) = is_drawn(strcol("kernel")) ? column("gpixels_per_s") * column("median_ms") / ms : NaN
median(ignored) = rate(column("median_ms"))
bar_colour(kernel) = kernel eq "OpenMP" ? 0x999999 : kernel eq "Convolve" ? 0x404040 : 0x0072b2
text(rate, percent) = three_digits(rate)." (".three_digits(percent)." %)"
left(panel) = panel == 1 ? 0.28 : 0.66
right(panel) = panel == panels ? 0.98 : 0.63

elsewhere = "(on the host's CPU)"

set multiplot
do for [panel=1:panels] {
    file = panel == 1 ? data : data2
    drawn = drawn_in(file)
    set xrange [*:*]
    set yrange [*:*]  # stats leaves out what lies outside
    stats file using (median(0)) nooutput name "RATE"
    stats file using (rate(column("low_ms"))) nooutput name "REACH"
    stats file using (is_drawn(strcol("kernel")) ? strlen(text(column("gpixels_per_s"), column("relative_percent"))) : NaN) nooutput name "LETTERS"
    bar_end = reach(RATE_max, REACH_max)
    set xrange [0:axis_end(LETTERS_max, 800 * (right(panel) - left(panel)))]
    set xtics tic_step(RATE_max)
    set yrange [-words(kernels) - 0.6:-0.4]
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == 2) {
        unset ytics  # the names stand at the first panel
        unset label 1
    }
    letters = panel == 1 ? 60 : 36
    set label 2 (panels == 1 ? subtitle(file) : in_lines(head(file, "device"), letters).image(file)) \
        at screen (panel == 1 ? 0.02 : left(2)), screen 1 - y(47)
    # A row without a bar says so.
    do for [i=1:words(kernels)] {
        note = place(word(kernels, i), drawn) ? "" : place(word(kernels, i), measured_at(file)) ? elsewhere : "not run"
        set label 10 + i note at first 0, first -i offset 0.8,0 font ",12" textcolor rgb "#707070"
    }
    plot file using (0):(row(strcol("kernel"))):(0):(median(0)):(row(strcol("kernel")) - 0.36):(row(strcol("kernel")) + 0.36):(bar_colour(strcol("kernel"))) \
             with boxxyerror fillstyle solid 1 noborder linecolor rgb variable, \
         file using (median(0)):(row(strcol("kernel"))):(rate(column("high_ms"))):(cut(rate(column("low_ms")))) \
             with xerrorbars pointtype 0 linecolor rgb "#d55e00" linewidth 1.5, \
         file using (arrow_from(median(0), rate(column("low_ms")))):(row(strcol("kernel"))):(arrow_by(median(0), rate(column("low_ms")))):(0) \
             with vectors @cut_look, \
         file using (cut(rate(column("low_ms")))):(row(strcol("kernel"))):(text(column("gpixels_per_s"), column("relative_percent"))) \
             with labels left offset 0.6,0 font ",12"
}
unset multiplot
