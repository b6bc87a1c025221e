# What all charts share. A script sets `data` to the chart's data file, which `tutorial charts` writes, and loads this. The
# picture goes to stdout.
# The looks in the data are of these colours.
set colorsequence podo
load data
height = rows > 12 ? 149 + 22 * rows : rows > 0 ? 149 + 28 * rows : 500
set encoding utf8
set datafile separator "\t"
set datafile missing "nan"
# noenhanced: an underscore in the name of a kernel or device is no subscript. Sizes are pixels, as GitHub shows them.
set terminal svg noenhanced size 800,height font "sans-serif,13" linewidth 1.2 dashlength 1.5 background rgb "white"
set grid linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7
set border 3 linecolor rgb "#404040"
set tics nomirror scale 0.5
set bars 0.5
shorten(text, length) = strlen(text) > length ? text[1:length-1]."…" : text
set label 1 title at screen 0.02, screen 1 - 24.0 / height font ",18"
set label 2 shorten(subtitle, 110) at screen 0.02, screen 1 - 47.0 / height font ",12" textcolor rgb "#505050"
set tmargin at screen 1 - 72.0 / height
set lmargin at screen 0.12
set rmargin at screen 0.97
set key bmargin center horizontal Left reverse samplen 2.5 height 1.2 width 0 font ",12"
