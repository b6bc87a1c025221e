# The median kernels: one bar each, and those of other programs that were measured in the same run as one of them.
# peers, a CSV of median_opencv or median_npp, is optional. Times of different runs are not compared: with a peer its
# own run of our kernel is drawn too. Beside a GPU's bars stand the published rates (CA.5).
kernels = kernels_in(data)
others = exists("peers") ? kernels_in(peers) : ""
anchors = "plots/published/anchors.csv"
of_median(number) = strcol("id") eq "CA.5" ? number : NaN
stats anchors using (of_median(column("gpixels_per_s"))):0 nooutput name "ANCHORS"
published = is_gpu(data) ? int(ANCHORS_records) : 0
# Our kernels are the rows 1, 2, ...; then the others', then the published, each with a line of words above.
words_row = 0.8
others_at = words(kernels) + (others ne "" ? words_row : 0)
published_at = others_at + words(others) + (published ? words_row : 0)
rows = published_at + published
height = 175 + 26 * rows
load "plots/style.gp"
load "plots/rates.gp"
set lmargin at screen 0.29
do for [i=1:words(kernels)] { set ytics add (word(kernels, i) -i) }
do for [i=1:words(others)] { set ytics add (word(others, i) -others_at - i) }
above(row, words) = sprintf('set label "%s" at graph 0, first %g offset 0.5,0 font ",11" textcolor rgb "#505050"', words, -row - 0.15)
if (others ne "") { eval above(others_at, "once more, in one run with the other library:") }
if (published) { eval above(published_at, "published (RTX 3090, 2022):") }

most = published ? ANCHORS_max_x : 0
do for [file in "'".data."'".(others eq "" ? "" : " '".peers."'")] {
    stats file using "gpixels_per_s" nooutput name "RATE"
    if (RATE_max > most) { most = RATE_max }
}
letters = 6
wide_px = 800 * (0.97 - 0.29)
@set_axis
set yrange [-rows - 0.7:-0.4]

# A colour for each pixel format.
titles = "'RGBA by luminance' 'RGBA by channel' '8-bit gray' '32-bit float' 'another library, 8-bit gray'"
format(kernel) = kernel[1:13] eq "medianfilter_" ? 1 : kernel[1:15] eq "median_channels" ? 2 : \
    kernel[1:11] eq "median_gray" ? 3 : kernel[1:12] eq "median_float" ? 4 : 5
colour_of(format) = int(word(podo, int(word("1 3 6 4 8", format))))
bar_colour(kernel) = colour_of(format(kernel))
text(ignored) = three_digits(column("gpixels_per_s"))
# Group 1 are our kernels, group 2 those of the other program's run.
row(kernel) = group == 1 ? -place(kernel, kernels) : -others_at - place(kernel, others)
is_bar(kernel) = place(kernel, group == 1 ? kernels : others)
anchor_row(index) = -published_at - 1 - (index - ANCHORS_min_y)
curves = 'for [group=1:1] data @bars, for [group=1:1] data @intervals, for [group=1:1] data @numbers, \
    for [f=1:4] keyentry with boxes fillstyle solid 1 noborder linecolor rgb colour_of(f) title word(titles, f)'
if (others ne "") {
    curves = curves.', for [group=2:2] peers @bars, for [group=2:2] peers @intervals, for [group=2:2] peers @numbers, \
        keyentry with boxes fillstyle solid 1 noborder linecolor rgb colour_of(5) title word(titles, 5)'
}
if (published) {
    curves = curves.', anchors using (0):(anchor_row($0)):(0):(of_median(column("gpixels_per_s"))):(anchor_row($0) - 0.36):(anchor_row($0) + 0.36) \
            with boxxyerror fillstyle solid 0.6 noborder linetype published_colour title "published", \
        anchors using (of_median(column("gpixels_per_s"))):(anchor_row($0)):(three_digits(column("gpixels_per_s"))) \
            with labels left offset 0.6,0 font ",12" notitle, \
        anchors using (of_median(0)):(anchor_row($0)):(strcol("what")[15:]) \
            with labels right offset -0.8,0 font ",11" textcolor rgb "#404040" notitle'
}
eval "plot ".curves
