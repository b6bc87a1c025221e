# What all charts share: output, colours, title. A chart's script sets `headline` and then loads this file:
#     load system("dirname '".ARG0."'")."/style.gp"
#
# Variables that the caller sets with gnuplot -e:
#   data    the CSV to draw
#   out     the picture; its ending chooses the format, .svg or .png. Without it the chart is drawn
#           in characters, in the terminal.
load system("dirname '".ARG0."'")."/csv.gp"

# Sizes are in pixels of a picture 800 wide, as GitHub shows it. y(n) is n pixels as a share of the height.
if (!exists("height")) height = 500
y(pixels) = 1.0 * pixels / height
if (exists("out")) {
    # noenhanced: an underscore in the name of a kernel or device is no subscript.
    if (out[strlen(out)-3:] eq ".png") {
        # Twice the size, so that it is sharp on a dense screen.
        set terminal pngcairo noenhanced size 1600,2*height fontscale 1.5 linewidth 2 pointscale 2 \
            font "sans-serif,13" background rgb "white"
        point_size = 0.8
    } else {
        set terminal svg noenhanced size 800,height font "sans-serif,13" linewidth 1.2 dashlength 1.5 \
            background rgb "white"
        point_size = 0.75
    }
    set output out
    set grid linecolor rgb "#d8d8d8" linetype 1 linewidth 0.7
} else {
    set terminal dumb noenhanced size 110,height/18
    point_size = 1
}
set border 3 linecolor rgb "#404040"
set tics nomirror scale 0.5
set bars 0.5

# --- Colours, markers, lines ---------------------------------------------------------------------
# podo can be told apart by the colour-blind: 1 black, 2 orange, 3 sky blue, 4 green, 5 yellow, 6 blue,
# 7 vermillion, 8 purple. Yellow is not used, it is too pale on white; vermillion is for published figures only.
set colorsequence podo
published_colour = 7
published_point = 13

# One look for each kernel, the same in all charts. A _Def kernel has the colour of its generic twin, with
# a filled marker and a broken line.
kernels_known = "Convolve OpenMP Convolve_Unroll Convolve_UnrollIf \
    Convolve_Def Convolve_Def_Unroll Convolve_Def_UnrollIf Convolve_Local Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll \
    Convolve_Float4 Convolve_Float4If Convolve_Def_Float4 Convolve_Def_Float4If Convolve_Local_Read4 Convolve_Tile Convolve_Baked Convolve_Fast Tuned"
colours = "1 6 2 3   4 2 3 8 2 6   6 8 6 8 4 4 8 2 1"
markers = "7 5 6 4   13 7 5 6 7 9   8 10 9 11 12 5 7 9 11"
dashes  = "1 1 1 1   1 2 2 1 1 1   1 1 2 2 1 1 1 1 1"
look(kernel, list) = place(kernel, kernels_known) ? int(word(list, place(kernel, kernels_known))) : 1

# The least time that the device's ceilings allow; a macro, to follow "with linespoints". Its points show only where
# they are all there is, in a chart of one width.
floor_look = 'linecolor rgb "#505050" linewidth 1.2 dashtype (7,5) pointtype 2 pointsize (one_width ? point_size : 0)'

# --- Title: the headline, below it device and image ----------------------------------------------
shorten(text, length) = strlen(text) > length ? text[1:length-1]."…" : text
image(file) = head(file, "size")." ".shorten(head(file, "image"), 30).(ask("clock", file) eq "host" ? " · host clock" : "")
subtitle(file) = shorten(head(file, "device"), 68)." · ".image(file)
set label 1 headline at screen 0.02, screen 1 - y(24) font ",18"
set label 2 (exists("data") ? subtitle(data) : "") at screen 0.02, screen 1 - y(47) font ",12" textcolor rgb "#505050"
set tmargin at screen 1 - y(72)
set lmargin at screen 0.09
set rmargin at screen 0.97
