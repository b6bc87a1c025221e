# One pixel a work-item against vectors of 128 bits: the gain for each pixel format (CH.4), on one device or two (CH.5).
# data2, the same on another device, is optional. A GPU comes first, whose CSV ever `data` is: so each keeps its colour.
load "plots/style.gp"
if (exists("data2") && !is_gpu(data)) { files = "'".data2."' '".data."'" }
scalar = "medianfilter_rgba median_channels median_gray median_float"
vector = "medianfilter_x4 median_channels_x4 median_gray_x16 median_float_x4"
do for [f=1:words(files)] { if (minus(scalar, kernels_in(word(files, f))) ne "") { exit status 3 } }
plotted(f, what) = (k = place(strcol("kernel"), vector)) ? \
    cell(word(files, f), word(scalar, k), 3, "relative_percent") / percent(what) : NaN
logarithmic = 1
also = "1"
load "plots/value_axis.gp"
set logscale y 2
set yrange [bottom / 1.1:top * 1.25]  # room for the numbers

# Two devices stand in two lines below the headline.
line(f) = (words(files) == 1 ? "" : f == 1 ? "blue: " : "orange: ").subtitle(word(files, f))
set label 2 line(1).(words(files) == 2 ? "\n".line(2) : "")
set tmargin at screen 1 - y(72 + 16 * (words(files) - 1))
set ylabel "speed-up over one pixel, logarithmic"
set ytics (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128)
set xrange [0.45:4.55]
set xlabel " "  # the second line of the names
set xtics scale 0 ()
do for [k=1:4] {
    set xtics add (word("'RGBA by luminance' 'RGBA by channel' '8-bit gray' '32-bit float'", k)."\n".word(vector, k) k)
}
set grid noxtics
step = 0.7 / words(files)
centre(f) = place(strcol("kernel"), vector) + (f - (words(files) + 1) / 2.0) * step
plot 1 with lines linetype 1 linewidth 1.5 notitle, \
     for [f=1:words(files)] word(files, f) using (centre(f)):(1):(centre(f) - 0.45 * step):(centre(f) + 0.45 * step):(1):(plotted(f, "median_ms")) \
         with boxxyerror fillstyle solid 1 noborder linecolor int(word("6 2", f)) title shorten(head(word(files, f), "device"), 38), \
     for [f=1:words(files)] word(files, f) using (centre(f)):(cut(plotted(f, "high_ms"))):(0):(cut(plotted(f, "low_ms")) - cut(plotted(f, "high_ms"))) \
         with vectors heads size screen 0.004,90 @interval_look notitle, \
     for [f=1:words(files)] word(files, f) using (centre(f)):(cut(plotted(f, "low_ms")) < 1 ? 1 : cut(plotted(f, "low_ms"))):(sprintf("%.2f", plotted(f, "median_ms"))) \
         with labels offset 0,0.7 font ",12" notitle
