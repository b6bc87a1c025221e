# What report model predicts for some kernels of a GPU, as bars: arithmetic and loads one after the other, and a line for memory.
# On a CPU these times say little: they know neither waiting nor vectors.
if (!is_gpu(data)) { exit status 3 }
parts = "arithmetic loads"
part_colours = "0xe69f00 0x56b4e9"
ms(kernel, column) = cell(data, kernel, 7, column)
wanted = "Convolve Convolve_Def Convolve_Two Convolve_Block Convolve_Baked"
bars = ""
longest = 0
do for [i=1:words(wanted)] {
    kernel = word(wanted, i)
    if (ms(kernel, "median_ms") > 0) {
        bars = bars." ".kernel
        sum_of = ms(kernel, "arithmetic_ms") + ms(kernel, "loads_ms")
        longest = ms(kernel, "median_ms") > longest ? ms(kernel, "median_ms") : longest
        longest = sum_of > longest ? sum_of : longest
    }
}
if (!words(bars)) { exit status 3 }
height = 170 + 40 * words(bars)
load "plots/style.gp"
set lmargin at screen 0.22

set print $bars
print "row,from,to,colour"
do for [i=1:words(bars)] {
    kernel = word(bars, i)
    end = 0.0
    do for [p=1:2] {
        length = ms(kernel, word(parts, p)."_ms")
        print sprintf("%g,%g,%g,%s", -i, end, end + length, word(part_colours, p))
        end = end + length
    }
    measured = ms(kernel, "median_ms")
    set label kernel at screen 0.21, first -i right noenhanced
    set label sprintf("%.3f ms", measured) at first measured, first -i left offset 1, 0 front \
        point pointtype 13 pointsize 1.6 linecolor rgb "#222222"
}
set print
memory = ms(word(bars, 1), "memory_ms")
set arrow from first memory, first -words(bars) - 0.6 to first memory, first -0.2 nohead front dashtype (7,5) linecolor rgb "#505050" linewidth 1.5
set label sprintf("memory, %.3f ms", memory) at first memory, first -0.2 left offset 0.5, 0.3 textcolor rgb "#505050"
set xrange [0:1.2 * longest]
set yrange [-words(bars) - 0.6:0.3]
set xlabel "ms; the diamond is the measured time"
load "plots/stacked.gp"
