# An image in bands: its stages one after the other in one carrier, and the time with all carriers, at widths 7 and 31.
height = 520
load "plots/style.gp"
set lmargin at screen 0.33
set label 2 device(data)  # each pair of bars has its own size
ms(name, width) = cell(data, name, width, "median_ms")
size(name, width) = sprintf("%d x %d", cell(data, name, width, "width"), cell(data, name, width, "height"))
parts = "read copy-in kernel copy-out write 'all of them at once'"
part_colours = "0xcc79a7 0x56b4e9 0xe69f00 0x009e73 0x0072b2 0x808080"
all = (strstrt(head(data, "options"), "--carriers") ? "all" : "three")." carriers"
longest = 0
top = 0
set print $bars
print "row,from,to,colour"
do for [kind in "bytes floats"] {
    do for [width in "7 31"] {
        if (ms("stream:".kind, width) > 0) {
            end = 0.0
            do for [p=1:5] {
                part = ms(word(parts, p).":".kind, width)
                print sprintf("%g,%g,%g,%s", top, end, end + part, word(part_colours, p))
                end = end + part
            }
            set label size("stream:".kind, width)." ".kind.": one carrier" at screen 0.32, first top right noenhanced
            set label sprintf("%.0f ms", ms("series:".kind, width)) at first end, first top left offset 0.7, 0
            together = ms("stream:".kind, width)
            print sprintf("%g,0,%g,%s", top - 1, together, word(part_colours, 6))
            set label "filter of ".width." x ".width.": ".all at screen 0.32, first (top - 1) right
            set label sprintf("%.0f ms", together) at first together, first (top - 1) left offset 0.7, 0
            longest = (end > longest ? end : longest)
            longest = (together > longest ? together : longest)
            top = top - 2.6
        }
    }
}
set print
if (longest == 0) { exit status 3 }
set xrange [0:1.12 * longest]
set yrange [top + 1:0.8]
set xlabel "ms for the image"
load "plots/stacked.gp"
