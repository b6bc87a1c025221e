# The roofline: the rates of some of the ladder's kernels over the arithmetic intensity of their filters, below the ceilings
# of the same run. Both axes count the direct method's multiply-adds; a transform does fewer, and gets above the roof.
height = 560
load "plots/style.gp"
shown = common(is_gpu(data) ? "Convolve Convolve_Block Convolve_Fast Convolve_Fft_Shared" : \
    "Convolve Convolve_Def_UnrollAll Convolve_Block16_Stream Convolve_Fft16", kernels_in(data))
if (shown eq "" || head(data, "multiply_adds_per_s") eq "") { exit status 3 }
compute = 1e-9 * head(data, "multiply_adds_per_s")
copy = 1e-9 * head(data, "copy_bytes_per_s")
# Products of bytes have a roof of their own, if a unit for them was measured. Its rate counts taps of 16 bits.
bytes_compute = exists("bytes") ? (strstrt(head(bytes, "multiply_add_type"), "bytes") ? 1e-9 * head(bytes, "multiply_adds_per_s") : 0) : 0

# Each multiply-add is one tap of one pixel; 8 bytes are the least that a pixel moves.
taps(ignored) = column("filter_width")**2
plotted(f, what) = place(strcol("kernel"), shown) ? column("gpixels_per_s") * taps(0) : NaN
of(kernel, number) = chosen(kernel) ? number : NaN
# Where the ladder begins: step 1 at 7 x 7, or the nearest width to it.
from_7(ignored) = abs(column("filter_width") - 7)
stats data using (of("Convolve", from_7(0))) nooutput name "START"
starts(ignored) = from_7(0) == START_min ? of("Convolve", plotted(1, "")) : NaN
logarithmic = 1
also = sprintf("%g", 1.4 * (bytes_compute > compute ? bytes_compute : compute))
load "plots/value_axis.gp"
load "plots/log_tics.gp"
array widest[words(shown)]
do for [k=1:words(shown)] {
    stats data using (of(word(shown, k), column("filter_width"))) nooutput name "WIDTH"
    widest[k] = WIDTH_max
}
marked = WIDTH_min == WIDTH_max ? sprintf("%d", WIDTH_max) : "3 7 15 31"
set yrange [bottom:top]
set logscale x
left = 0.4
right = 150
set xrange [left:right]
set xtics ()
do for [w in "2 3 5 7 10 15 22 31"] { set xtics add (sprintf("%.1f\n%s x %s", w**2 / 8.0, w, w) w**2 / 8.0) }
set xlabel "multiply-adds per byte, and the filter that has so many (logarithmic)" offset 0,-0.9
set ylabel "10^9 multiply-adds per second, logarithmic"
set lmargin at screen 0.12
set rmargin at screen 0.79
set bmargin at screen y(80)
set key off

roof(x) = x * copy < compute ? x * copy : compute
bytes_roof(x) = x * copy < compute ? NaN : x * copy < bytes_compute ? x * copy : bytes_compute
slope = atan(1.0 * (height - 152) / (800 * 0.67) * log(right / left) / log(top / bottom)) * 180 / pi
set label 3 sprintf("copy: %.0f GB/s", copy) at left * 1.05, copy * left * 1.5 rotate by slope font ",12" textcolor rgb "#606060"
set label 4 sprintf("multiply-adds: %.0f", compute) at right / 1.05, compute offset 0,0.6 right font ",12" textcolor rgb "#606060"
if (bytes_compute > compute) {
    # Above its level, where no curve is.
    set label 5 sprintf("taps of 16 bits on bytes: %.0f", bytes_compute) at (bytes_compute / copy > 10 ? right / 1.05 : 8), bytes_compute \
        offset 0,0.6 right font ",12" textcolor rgb "#606060"
} else { bytes_compute = compute }
set samples 1000
start_look = 'textcolor rgb "#d55e00" font ",12.5"'
plot roof(x) with lines linecolor rgb "#c0c0c0" linewidth 5, bytes_roof(x) with lines linecolor rgb "#c0c0c0" linewidth 3 dashtype (4,4), \
    data using (taps(0) / 8):(starts(0)) with points pointtype 6 pointsize 2.6 linewidth 2 linecolor rgb "#d55e00", \
    data using (taps(0) / 8):(starts(0)):("you start here") with labels offset 0,-1.5 @start_look, \
    for [k in shown] data using (taps(0) / 8):(of(k, plotted(1, ""))) with lines linecolor rgb colour(k) dashtype look(k, dashes), \
    for [k in shown] data using (taps(0) / 8):(place(strcol("filter_width"), marked) ? of(k, plotted(1, "")) : NaN) \
        with points linecolor rgb colour(k) pointtype look(k, markers) pointsize 1.3 * point_size, \
    for [k in shown] data using (taps(0) / 8):(column("filter_width") == widest[place(k, shown)] ? of(k, plotted(1, "")) : NaN):(k) \
        with labels left offset 1.1,0 font ",11.5" textcolor rgb colour(k)
