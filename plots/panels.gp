# Time relative to Convolve over filter width, a panel for each kernel, all with the same axes. With `grey_title`, for the
# legend, the kernel that a panel's kernel grew from is drawn in grey; with `published` each panel has the published points
# of its kernel.
height = chart eq "step6" ? 740 : 430
load system("dirname '".ARG0."'")."/style.gp"
if (chart eq "step6") {
    # AMD's kernels, with the only published run of them, by a third party in 2013. The tenth is Convolve, the 100 % line.
    published = here."published/amd-step6-third-party.csv"
    published_title = "published: Intel i3, ".head(published, "size").", 2013"
    panels = minus(common(all_kernels, kernels_in(published)), "Convolve")
    if (exists("unoptimised")) { if (common(panels, kernels_in(unoptimised)) eq "") { undefine unoptimised } }
    files = "'".data."'".(exists("unoptimised") ? " '".unoptimised."'" : "")
    titles = "'measured: the kernel above the panel' 'the same, optimiser off, ".(exists("unoptimised") ? head(unoptimised, "size") : "")."'"
    grey_title = "measured: the kernel that it grew from"
    if (common(new_in("6"), kernels_in(data)) eq "") { exit status 3 }
} else {
    # Two shapes of work-groups with the same number of work-items.
    panels = common(common(new_in("5"), kernels_in(data)), kernels_in(data2))
    files = "'".data."' '".data2."'"
    titles = "'16 x 16' '32 x 8'"
}
measured = kernels_in(word(files, 1))
seen = common(panels, measured)
if (seen eq "") { exit status 3 }
load here."width_axis.gp"
greys = exists("grey_title")
if (greys) { seen = joined(seen, common(parents_of(seen), measured)) }

measured_value(what) = percent(what)
plotted(f, what) = place(strcol("kernel"), seen) ? measured_value(what) : NaN
of(kernel, what) = chosen(kernel) ? measured_value(what) : NaN
stats word(files, 1) using (plotted(1, "median_ms")) nooutput name "SLOWEST"
logarithmic = SLOWEST_max > 300
also = "110"
if (exists("published")) {
    stats published using "relative_percent" nooutput name "PUBLISHED"
    also = also.sprintf(" %g", PUBLISHED_max).(logarithmic ? sprintf(" %g", PUBLISHED_min / 1.14) : "")
}
load here."value_axis.gp"
set yrange [bottom:top]

in_row = words(panels) < 3 ? words(panels) : 3
rows = (words(panels) + in_row - 1) / in_row
head_px = 72
in_legend = words(files) + greys + exists("published")  # beside the 100 % line
legend_rows = in_legend < 3 ? 1 : in_legend - 1
foot_px = legend_rows < 3 ? 102 : 121
row_px = 1.0 * (height - head_px - foot_px + 8) / rows
column_share = (0.97 - 0.10 + 0.03) / in_row
set label 3 "% of Convolve's time".(logarithmic ? ", logarithmic" : " (lower is faster)") \
    at screen 0.022, screen 0.5 * (y(foot_px) + 1 - y(head_px)) center rotate by 90
set label 4 "filter width (pixels)" at screen 0.535, screen y(foot_px - 42) center
unset xlabel
set key at screen 0.5, screen y(6) center bottom vertical maxrows legend_rows Left reverse samplen 2.5 height 0 width 0 font ",12"
curve_look = 'linecolor rgb int(word("0x0072b2 0xe69f00", f)) pointtype int(word("7 4", f)) dashtype f'
grey_look = 'linecolor rgb 0xa0a0a0 pointtype 6'
published_look = 'linetype published_colour pointtype published_point'
if (WIDTH_max - WIDTH_min > 9) { set xtics 0,8 }

legend = 'keyentry with lines linetype 1 linewidth 1.5 title "Convolve = 100 %", \
    for [f=1:words(files)] keyentry with linespoints @curve_look pointsize point_size title word(titles, f)'
if (greys) { legend = legend.', keyentry with linespoints @grey_look pointsize point_size title grey_title' }
if (exists("published")) { legend = legend.', keyentry with points @published_look pointsize 1.6 * point_size title published_title' }
set multiplot
do for [i=1:words(panels)] {
    kernel = word(panels, i)
    at_row = (i - 1) / in_row
    at_column = (i - 1) % in_row
    set lmargin at screen 0.10 + at_column * column_share
    set rmargin at screen 0.10 + (at_column + 1) * column_share - 0.03
    set tmargin at screen 1 - y(head_px + at_row * row_px + 16)
    set bmargin at screen 1 - y(head_px + (at_row + 1) * row_px - 8)
    tic_format = at_column == 0 ? "%g" : ""
    set format y tic_format
    if (logarithmic) { load here."log_tics.gp" }
    # The names of the widths stand below the last panel of a column.
    set format x (i + in_row > words(panels) ? "%h" : "")
    set label 5 kernel.(place(kernel, measured) ? "" : ": not run") at graph 0, graph 1 offset 0,0.6 font ",12"
    curves = '100 with lines linetype 1 linewidth 1.5 notitle'
    grey = greys ? minus(common(parent(kernel), measured), "Convolve") : ""
    if (grey ne "") {
        curves = curves.', for [k in grey] word(files, 1) using "filter_width":(of(k, "median_ms")) \
            with linespoints @grey_look linewidth 1.3 pointsize 0.6 * point_size notitle'
    }
    do for [i_file=1:words(files)] {
        if (!place(kernel, kernels_in(word(files, i_file)))) { continue }
        curves = curves.sprintf(", for [f=%d:%d] ", i_file, i_file).'word(files, f) using "filter_width":(of(kernel, "median_ms")):(of(kernel, "low_ms")):(of(kernel, "high_ms")) \
            with yerrorlines @curve_look linewidth 1.3 pointsize 0.6 * point_size notitle'
    }
    if (exists("published")) {
        curves = curves.', published using "filter_width":(chosen(kernel) ? column("relative_percent") : NaN) \
            with points @published_look pointsize 1.2 * point_size notitle'
    }
    eval "plot ".curves.(i == 1 ? ", ".legend : "")
    # The title is drawn once.
    do for [l=1:4] { unset label l }
}
unset multiplot
