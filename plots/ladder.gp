# The ladder: one bar a kernel, in the order of the steps, at one filter width. The chart `front` has each step's fastest;
# those of steps 5 and 6 on a GPU from `wide`, kernels in groups of 32 x 8, where these are faster.
# With data2='...', another device's CSV, there is a second panel, with a scale of its own.

# 7, or the nearest width to it.
stats data using "filter_width":(abs(column("filter_width") - 7)) nooutput name "NEAREST"
width = int(NEAREST_pos_min_y)
measured_at(file) = ask("kernels", file, sprintf("%d", width))
is_front = chart eq "front"
if (!exists("data2")) data2 = ""
panels = data2 eq "" || measured_at(data2) eq "" ? 1 : 2
headline = sprintf(is_front ? "The fastest kernel of each step at %d x %d" : "The ladder at %d x %d", width, width)

# The OpenMP loop runs on the host's CPU: it is no result of a GPU.
drawn_in(file) = is_front ? ask("fastest", file, sprintf("%d", width)) : minus(measured_at(file), is_gpu(file) ? "OpenMP" : "")
kernel_of(step, file) = common(new_in(step), ask("fastest", file, sprintf("%d", width)))
rate_in(file, kernel) = words(kernel) == 0 ? 0 : cell(file, word(kernel, 1), width, "gpixels_per_s")
if_faster(step, list) = rate_in(wide, kernel_of(step, wide)) > rate_in(data, kernel_of(step, data)) ? list : ""
has_wide = exists("wide") && is_gpu(data)
tile = has_wide ? joined(if_faster("5", kernel_of("5", wide)), if_faster("6", kernel_of("6", wide))) : ""
in_wide = has_wide ? joined(if_faster("5", new_in("5")), if_faster("6", new_in("6"))) : ""
kernels_of(file) = tile eq "" ? drawn_in(file) : joined(minus(drawn_in(file), in_wide), tile)
# In the order of kernels.csv; kernels that it does not list come last.
kernels = joined(kernels_of(data), panels == 2 ? kernels_of(data2) : "")
kernels = joined(common(all_kernels, kernels), kernels)
height = 125 + 16 * (panels - 1) + 24 * words(kernels)  # so that each bar has the same thickness
load "plots/style.gp"
load "plots/rates.gp"

set label 2 ""
set tmargin at screen 1 - y(62 + 16 * (panels - 1))
set bmargin at screen y(60)
set key off
step_of(kernel) = place(kernel, all_kernels) ? int(word(steps, place(kernel, all_kernels))) : 99
techniques = 'naive "unrolled by hand" "branches, no loop" constants "tile in local memory" "vectors of four" "register blocking" \
    "filter compiled in" search "Fourier transforms" bytes'
name_of(kernel) = is_front ? sprintf("%d  %s", step_of(kernel), word(techniques, step_of(kernel))) : kernel
do for [i=1:words(kernels)] { set ytics add (name_of(word(kernels, i)) -i) }

row(kernel) = -place(kernel, kernels)
is_bar(kernel) = place(kernel, drawn) && column("filter_width") == width && (f eq file) != (place(kernel, tile) > 0)
# A colour for each part of the ladder.
part(step) = step == 1 ? 1 : step < 5 ? 2 : step < 7 ? 3 : step < 10 ? 4 : 5
part_colours = "0x404040 0xe69f00 0x56b4e9 0x0072b2 0xcc79a7"
part_names = '"step 1" "2 to 4: unrolling" "5, 6: tiles, vectors" "7 to 9: blocks" "10: transforms"'
bar_colour(kernel) = kernel eq "OpenMP" ? 0x999999 : int(word(part_colours, part(step_of(kernel))))
if (!is_front) {
    do for [i=1:5] { set label 100 + i word(part_names, i) at screen real(word("0.30 0.37 0.525 0.70 0.83", i)), screen 1 - y(24) \
        font ",12" textcolor rgb int(word(part_colours, i)) }
}
text(ignored) = three_digits(column("gpixels_per_s")).(is_front ? sprintf(", %.2gx", column("gpixels_per_s") / cell(file, "Convolve", width, "gpixels_per_s")) : "")
left(panel) = panel == 1 ? 0.28 : 0.66
right(panel) = panel == panels ? 0.98 : 0.63

set multiplot
do for [panel=1:panels] {
    file = panel == 1 ? data : data2
    drawn = kernels_of(file)
    f = file
    set xrange [*:*]
    set yrange [*:*]  # stats leaves out what lies outside
    stats file using (bar_row(0) < 0 ? rate(column("median_ms")) : NaN) nooutput name "RATE"
    stats file using (bar_row(0) < 0 ? strlen(text(0)) : NaN) nooutput name "LETTERS"
    stats file using (bar_row(0) < 0 ? column("gpixels_per_s") * column("x_floor") : NaN) nooutput name "FLOOR"
    most = RATE_max > 0.8 * FLOOR_median ? RATE_max : 0.8 * FLOOR_median
    letters = LETTERS_max
    wide_px = 800 * (right(panel) - left(panel))
    eval set_axis
    set yrange [-words(kernels) - 0.6:-0.4]
    set lmargin at screen left(panel)
    set rmargin at screen right(panel)
    if (panel == 2) {
        unset ytics  # the names stand at the first panel
        unset label 1
    }
    set label 2 (panels == 1 ? subtitle(file) : shorten(head(file, "device"), panel == 1 ? 60 : 36)."\n".image(file)) \
        at screen (panel == 1 ? 0.02 : left(2)), screen 1 - y(47)
    set arrow 1 from first FLOOR_median, first -0.4 to first FLOOR_median, graph 0 nohead dashtype 2 linecolor rgb "#404040"
    set label 9 sprintf("at the floor: %.3g", FLOOR_median) at first FLOOR_median, first -0.4 offset 0,0.4 center font ",12" textcolor rgb "#404040"
    # A row without a bar says so.
    do for [i=1:words(kernels)] {
        note = place(word(kernels, i), drawn) ? "" : place(word(kernels, i), measured_at(file)) ? "(on the host's CPU)" : "not run"
        set label 10 + i note at first 0, first -i offset 0.8,0 font ",12" textcolor rgb "#707070"
    }
    both = file." ".(tile eq "" ? "" : wide)
    eval "plot for [f in both] f ".bars.", for [f in both] f ".intervals.", for [f in both] f ".numbers
}
unset multiplot
