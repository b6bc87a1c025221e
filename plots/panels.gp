# Time relative to Convolve over filter width, a panel for each kernel, all with the same axes. Not a chart of its own: a
# script sets `headline`, loads style.gp, sets
#     panels   the kernels
#     files    CSVs; each has a curve in every panel
#     titles   of the files, for the legend
# and loads this. With `grey_title`, for the legend, the kernel that a panel's kernel grew from is drawn in grey; with
# `published` and `published_title` each panel has the published points of its kernel.
load here."width_axis.gp"
greys = exists("grey_title")
if (!greys) grey_title = ""
points = exists("published")
if (!points) published_title = ""
measured = kernels_in(word(files, 1))
seen = common(panels, measured)
if (greys) { seen = joined(seen, common(parents_of(seen), measured)) }

percent(what) = column("relative_percent") * column(what) / column("median_ms")
plotted(f, what) = place(strcol("kernel"), seen) ? percent(what) : NaN
of(kernel, what) = chosen(kernel) ? percent(what) : NaN
# A loop from 1 to 0 draws nothing, but gnuplot still evaluates what is in it.
curve(kernel, what) = curves ? cut(of(kernel, what)) : aside
at_least_to = 110
stats word(files, 1) using (plotted(1, "median_ms")) nooutput name "SLOWEST"
logarithmic = SLOWEST_max > 300
load here."value_axis.gp"
if (points) {
    stats published using "relative_percent" nooutput name "PUBLISHED"
    if (PUBLISHED_max * 1.04 > top) { top = PUBLISHED_max * 1.04 }
    if (logarithmic && PUBLISHED_min / 1.2 < bottom) { bottom = PUBLISHED_min / 1.2 }
}
set yrange [bottom:top]

legend_titles = "'Convolve = 100 %' ".titles." ".(greys ? "'".grey_title."' " : "").(points ? "'".published_title."' " : "").cut_entry
load here."legend.gp"
in_row = words(panels) < 3 ? words(panels) : 3
rows = (words(panels) + in_row - 1) / in_row
head_px = 72
foot_px = 66 + 18 * legend_rows
row_px = 1.0 * (height - head_px - foot_px + 8) / rows
column_share = (0.97 - 0.10 + 0.03) / in_row
set label 3 "% of Convolve's time".(logarithmic ? ", logarithmic" : " (lower is faster)") \
    at screen 0.022, screen 0.5 * (y(foot_px) + 1 - y(head_px)) center rotate by 90
set label 4 "filter width (pixels)" at screen 0.535, screen y(foot_px - 42) center
unset xlabel
unset ylabel
curve_colour = "0x0072b2 0xe69f00"
curve_marker = "7 4"
curve_dash = "1 2"
if (width_max - width_min > 9) { set xtics 0,8 }

$nothing << EOD
kernel,filter_width,relative_percent
Convolve,1,100
EOD
published_points = points ? published : "$nothing"
set multiplot
do for [i=1:words(panels)] {
    kernel = word(panels, i)
    at_row = (i - 1) / in_row
    at_column = (i - 1) % in_row
    set lmargin at screen 0.10 + at_column * column_share
    set rmargin at screen 0.10 + (at_column + 1) * column_share - 0.03
    set tmargin at screen 1 - y(head_px + at_row * row_px + 16)
    set bmargin at screen 1 - y(head_px + (at_row + 1) * row_px - 8)
    number = at_column == 0 ? "%g" : ""
    set format y number
    if (logarithmic) { load here."log_tics.gp" }
    # The names of the widths stand below the last panel of a column.
    set format x (i + in_row > words(panels) ? "%h" : "")
    set label 5 kernel.(place(kernel, measured) ? "" : ": not run") at graph 0, graph 1 offset 0,0.6 font ",12"
    curves = place(kernel, measured) ? words(files) : 0
    grey = greys ? minus(common(parent(kernel), measured), "Convolve") : ""
    plot 100 with lines linetype 1 linewidth 1.5 notitle, \
         for [k in grey] word(files, 1) using "filter_width":(grey eq "" ? aside : of(k, "median_ms")) \
             with linespoints linecolor rgb 0xa0a0a0 pointtype 6 linewidth 1.3 pointsize 0.6 * point_size notitle, \
         for [f=1:curves] word(files, f) using "filter_width":(curve(kernel, "median_ms")):(curve(kernel, "low_ms")):(curve(kernel, "high_ms")) \
             with yerrorlines linecolor rgb int(word(curve_colour, f)) pointtype int(word(curve_marker, f)) dashtype int(word(curve_dash, f)) \
             linewidth 1.3 pointsize 0.6 * point_size notitle, \
         for [f=1:curves] word(files, f) using "filter_width":(chosen(kernel) ? arrow_from(f, "high_ms") : aside):(0):(chosen(kernel) ? arrow_by(f, "high_ms") : 0) \
             with vectors @cut_look linecolor rgb "#404040" notitle, \
         for [j=1:points] published_points using "filter_width":(chosen(kernel) ? column("relative_percent") : aside) \
             with points linetype published_colour pointtype published_point pointsize 1.2 * point_size notitle, \
         for [j=1:(i == 1)] keyentry with lines linetype 1 linewidth 1.5 title "Convolve = 100 %", \
         for [f=1:(i == 1 ? words(files) : 0)] keyentry with linespoints linecolor rgb int(word(curve_colour, f)) \
             pointtype int(word(curve_marker, f)) dashtype int(word(curve_dash, f)) pointsize point_size title word(titles, f), \
         for [j=1:(i == 1 && greys)] keyentry with linespoints linecolor rgb 0xa0a0a0 pointtype 6 pointsize point_size title grey_title, \
         for [j=1:(i == 1 && points)] keyentry with points linetype published_colour pointtype published_point pointsize 1.6 * point_size \
             title published_title, \
         for [j=1:(i == 1 && is_cut)] keyentry with vectors @cut_look linecolor rgb "#404040" title cut_title
    # The title is drawn once.
    do for [l=1:4] { unset label l }
}
unset multiplot
