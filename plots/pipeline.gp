# The whole way of an image, as bars of time: border, upload, kernel and read-back, one after the other, with a 7 x 7 filter.
load system("dirname '".ARG0."'")."/csv.gp"
files = "'".data."'".(exists("data2") ? " '".data2."'" : "")
rows_a_file = 4 # the device's name and three bars
height = 130 + 40 * rows_a_file * words(files)
load here."style.gp"
set label 2 "7 x 7 filter, ".image(data)
set lmargin at screen 0.33

# The time of a row at width 7, 0 if there is none.
ms(file, name) = (0 + system("awk -F, '$1 == \"".name."\" && $2 == 7 { time = $8 } END { print time + 0 }' '".file."'"))
least(file) = ms(file, "Convolve_Fast") < ms(file, "Convolve_Block16") ? "Convolve_Fast" : "Convolve_Block16"

parts = "border upload kernel read-back"
part_colours = "0xcc79a7 0x56b4e9 0xe69f00 0x009e73"
longest = 0
set print $bars
print "row,from,to,colour"
do for [f=1:words(files)] {
    file = word(files, f)
    names = "Convolve ".least(file)." ".least(file)
    top = -(f - 1) * rows_a_file
    set label device(file) at screen 0.02, first top font ",14" noenhanced
    do for [bar=1:3] {
        pinned = bar == 3 ? ":pinned" : ""
        end = 0.0
        do for [p=(bar == 3 ? 2 : 1):4] {
            part = word(parts, p)
            length = part eq "kernel" ? ms(file, word(names, bar)) : ms(file, part.(part eq "border" ? "" : pinned))
            print sprintf("%g,%g,%g,%s", top - bar, end, end + length, word(part_colours, p))
            end = end + length
        }
        if (end == 0) { exit status 3 }
        longest = end > longest ? end : longest
        set label word(names, bar).(bar == 3 ? ", pinned" : "") at screen 0.32, first (top - bar) right noenhanced
        set label sprintf(end < 10 ? "%.1f ms" : "%.0f ms", end) at first end, first (top - bar) left offset 0.7, 0
    }
}
set print
set xrange [0:1.12 * longest]
set yrange [-rows_a_file * words(files) + 0.3:0.6]
set xlabel "ms for one image"
set border 1
unset ytics
unset grid
set grid xtics @grid_look
plot $bars using "from":"row":"from":"to":(column("row") - 0.36):(column("row") + 0.36):(int(strcol("colour"))) \
         with boxxyerror fillstyle solid 1 noborder linecolor rgb variable notitle, \
     for [p=1:4] NaN with boxes fillstyle solid 1 noborder linecolor rgb int(word(part_colours, p)) title word(parts, p)
