# What all charts share. A script sets `data` to the chart's data file, which `tutorial charts` writes, and loads this. The
# picture goes to stdout.
load data
if (!exists("height")) { height = 500 }
set encoding utf8
set datafile separator "\t"
set datafile missing "nan"
# Sizes are in pixels of a picture 800 wide, as GitHub shows it. y(n) is n pixels as a share of the height.
y(pixels) = 1.0 * pixels / height
# noenhanced: an underscore in the name of a kernel or device is no subscript.
set terminal svg noenhanced size 800,height font "sans-serif,13" linewidth 1.2 dashlength 1.5 background rgb "white"
set grid linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7
set border 3 linecolor rgb "#404040"
set tics nomirror scale 0.5
set bars 0.5
shorten(text, length) = strlen(text) > length ? text[1:length-1]."…" : text
set label 1 title at screen 0.02, screen 1 - y(24) font ",18"
set label 2 shorten(subtitle, 110) at screen 0.02, screen 1 - y(47) font ",12" textcolor rgb "#505050"
set tmargin at screen 1 - y(72)
set lmargin at screen 0.11
set rmargin at screen 0.97
set key bmargin center horizontal Left reverse samplen 2.5 height 1.2 width -2 font ",12"
# Of the tics of a logarithmic axis: 1, 2 and 5 times the powers of ten; where it is short more, where it is long fewer.
digits(ratio) = ratio < 3 ? "1 1.1 1.2 1.3 1.4 1.6 1.8 2 2.5 3 4 5 6 7 8 9" : ratio < 20 ? "1 1.5 2 3 4 5 7" : ratio < 1e5 ? "1 2 5" : "1"
