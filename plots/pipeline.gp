# From host to device and back, as bars of time: border, upload, kernel and read-back, one after the other, with a 7 x 7 filter.

ms(file, name) = cell(file, name, 7, "median_ms")
least(file, kernels) = (found = "-", (sum [i=1:words(kernels)] (name = word(kernels, i), time = ms(file, name), \
    time > 0 && (found eq "-" || time < ms(file, found)) ? (found = name, 0) : 0)), found)
best(file)  = least(file, "Convolve_Block16 Convolve_Fast")
bytes(file) = least(file, "Convolve_Bytes Convolve_Bytes_Dot32 Convolve_Bytes_Matrix")

parts = "border upload kernel read-back"
part_colours = "0xcc79a7 0x56b4e9 0xe69f00 0x009e73"
# A bar: what stands before it; its kernel; of pixels of one byte or of floats; with new memory and plain copies, or without.
array label_of[5] = ["floats, first kernel", "floats, fast kernel", "", "bytes, fast kernel", ""]
kernel_of(file, bar) = word("Convolve ".best(file)." ".best(file)." ".bytes(file)." ".bytes(file), bar)
is_short(bar) = bar == 3 || bar == 5
bars_of(file) = bytes(file) eq "-" ? 3 : 5
# On a GPU the short bars have pinned memory, which is kept; on a CPU no border, and what it made is read in place.
length_of(file, bar, part) = \
    part eq "kernel" ? ms(file, kernel_of(file, bar)) : part eq "border" && is_short(bar) && !is_gpu(file) ? 0 \
    : ms(file, part.(!is_short(bar) ? "" : is_gpu(file) ? ":pinned" : part eq "read-back" ? ":map" : "").(bar > 3 ? ":bytes" : ""))
sum_of(file, bar) = (sum [p=1:4] length_of(file, bar, word(parts, p)))

rows = 0
do for [f=1:words(files)] { rows = rows + 1 + bars_of(word(files, f)) }
height = 130 + 34 * rows
load "plots/style.gp"
set label 2 "7 x 7 filter, ".image(data)
set lmargin at screen 0.40

# The first kernel takes so long on a CPU that its bar would leave no room for the others: there it is cut off.
longest = 0
do for [f=1:words(files)] { do for [bar=2:bars_of(word(files, f))] {
    longest = sum_of(word(files, f), bar) > longest ? sum_of(word(files, f), bar) : longest
} }
if (longest == 0) { exit status 3 }
limit = 1.3 * longest
set print $bars
print "row,from,to,colour"
row = 0
do for [f=1:words(files)] {
    file = word(files, f)
    set label device(file) at screen 0.02, first row font ",14" noenhanced
    do for [bar=1:bars_of(file)] {
        row = row - 1
        end = 0.0
        do for [p=1:4] {
            length = length_of(file, bar, word(parts, p))
            print sprintf("%g,%g,%g,%s", row, end, end + length < limit ? end + length : limit, word(part_colours, p))
            end = end + length < limit ? end + length : limit
        }
        # What was measured as a whole has that time; what was not, the sum of its parts.
        whole = !is_short(bar) ? ms(file, "way:".kernel_of(file, bar)) : is_gpu(file) ? ms(file, "way:pinned:".kernel_of(file, bar)) : sum_of(file, bar)
        its_time = sprintf(whole < 9.95 ? "%.1f ms" : "%.0f ms", whole)
        set label (is_short(bar) ? (bar > 3 ? "bytes" : "floats").(is_gpu(file) ? ", pinned memory" : " without border, read in place") : label_of[bar]) \
            at screen 0.39, first row right noenhanced
        if (end < limit) { set label its_time at first end, first row left offset 0.7, 0 }
        else { set label its_time." →" at first end, first row right offset -0.7, 0 front }
    }
    row = row - 1
}
set print
set xrange [0:limit]
set yrange [row + 0.3:0.6]
set xlabel "ms for one image"
load "plots/stacked.gp"
