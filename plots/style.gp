# What all charts share: output, colours, title.
# Sizes are in pixels of a picture 800 wide, as GitHub shows it. y(n) is n pixels as a share of the height.
if (!exists("height")) height = 500
y(pixels) = 1.0 * pixels / height
# noenhanced: an underscore in the name of a kernel or device is no subscript.
set terminal svg noenhanced size 800,height font "sans-serif,13" linewidth 1.2 dashlength 1.5 \
    background rgb "white"
set output out
point_size = 0.75
set grid linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7
set border 3 linecolor rgb "#404040"
set tics nomirror scale 0.5
set bars 0.5

# --- Colours, markers, lines ---------------------------------------------------------------------
# podo can be told apart by the colour-blind: 1 black, 2 orange, 3 sky blue, 4 green, 5 yellow, 6 blue,
# 7 vermillion, 8 purple. Yellow is not used, it is too pale on white; vermillion is for published figures and the intervals of bars.
set colorsequence podo
published_colour = 7
published_point = 13
interval_look = 'linecolor rgb "#d55e00" linewidth 1.5'

# One look for each kernel, the same in all charts. A kernel that only fixes the filter's width, or adds a word to its
# parent, has the parent's colour, with a filled marker and a broken line. What a step does not add, the kernels that its
# own grew from, is grey: a step's script sets `added`.
known   = all_kernels
colours = listed("colour")
markers = listed("marker")
dashes  = listed("dash")
look(kernel, list) = place(kernel, known) ? int(word(list, place(kernel, known))) : 1
podo = "0x000000 0xe69f00 0x56b4e9 0x009e73 0xf0e442 0x0072b2 0xd55e00 0xcc79a7"
added = all_kernels
colour(kernel) = place(kernel, added) ? int(word(podo, look(kernel, colours))) : 0xa0a0a0

# --- Title: the headline, below it device and image; legend below the chart ----------------------
shorten(text, length) = strlen(text) > length ? text[1:length-1]."…" : text
three_digits(x) = sprintf(x >= 99.95 ? "%.0f" : x >= 9.995 ? "%.1f" : x >= 0.9995 ? "%.2f" : x >= 0.09995 ? "%.3f" : "%.4f", x)
source(file) = shorten(head(file, "image"), 30)
device(file) = shorten(head(file, "device"), 62)
image(file) = head(file, "size")." ".source(file)
subtitle(file) = shorten(device(file)." · ".image(file), 105)
# The title is that of charts.csv, unless a script has its own.
if (!exists("headline")) { headline = ask("title", "plots/charts.csv", chart) }
set label 1 headline at screen 0.02, screen 1 - y(24) font ",18"
set label 2 subtitle(data) at screen 0.02, screen 1 - y(47) font ",12" textcolor rgb "#505050"
set tmargin at screen 1 - y(72)
set lmargin at screen 0.11
set rmargin at screen 0.97
set key bmargin center horizontal Left reverse samplen 2.5 height 1.2 width -2 font ",12"
