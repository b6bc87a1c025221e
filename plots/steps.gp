# The charts of the steps over filter width: `chart` is step1, ..., step10, baseline, or the folder of a step of your own.
# blocks, another CSV, is drawn if it has kernels of the step: a run of fewer of them on a larger image, on a device that
# needs too long for all.
load system("dirname '".ARG0."'")."/csv.gp"
kind = chart eq "baseline" ? "taps" : chart eq "step1" ? "time" : place(chart, "step7 step8 step9 step10") ? "floor" : "percent"
if (chart eq "baseline") { height = 340 }

# What a step adds is drawn in colour; what it grew from, or what stands in `rest`, in grey.
number = chart[1:4] ne "step" ? chart : strstrt("ab", chart[strlen(chart):]) ? chart[5:strlen(chart) - 1] : chart[5:]
added = chart eq "baseline" ? "Convolve" : chart eq "step4a" ? "Convolve_Def" : new_in(number)
if (exists("blocks")) { if (common(added, kernels_in(blocks)) ne "") { data = blocks } }
if (exists("unoptimised")) { if (common(added, kernels_in(unoptimised)) eq "") { undefine unoptimised } }
if (chart eq "step4b") { rest = "" }
# With the same block for all widths; where step 8's kernels were not run, step 7's.
if (chart eq "step9") { rest = common(new_in("8"), kernels_in(data)) eq "" ? new_in("7") : new_in("8") }
if (chart eq "step10") { rest = minus(kernels_in(data), "Convolve") }
if (place(chart, "step2 step3")) {
    published = here."published/amd-step4.csv"
    published_by = chart eq "step2" ? "published: AMD 2009, Phenom X4 9950" : "published: Unroll, AMD 2009"
}
# AMD names no filter width for the figure: it is a line, not a point.
if (chart eq "step4a") {
    published_line = here."published/amd-step5.csv"
    published_by = "published: about 20 % less, AMD 2009"
}

measured = kernels_in(data)
if (common(added, measured) eq "") { exit status 3 }
# What is no convolution has a baseline of its own, its first kernel, and no floor.
base = place("Convolve", measured) ? "Convolve" : word(measured, 1)
if (kind eq "percent" || kind eq "floor") { measured = minus(measured, base) }
if (!exists("rest")) { rest = parents_of(common(added, measured)) }
# What the step adds comes last, so that it is drawn over the rest.
shown = joined(common(minus(rest, added), measured), common(added, measured))
drawn = added
load here."style.gp"
added = drawn

title_of(kernel) = kernel eq "OpenMP" ? "OpenMP, on the host's CPU" : kernel  # whatever the device is
of_convolve(number) = chosen("Convolve") ? number : NaN
floor_look = 'lines dashtype (7,5) linecolor rgb "#505050" linewidth 1.2 title "floor, see roofline/"'
logarithmic = 1

if (kind eq "time") {
    # The work grows with the square of the filter width: only a logarithmic axis shows both ends.
    set ylabel "median time in ms, logarithmic"
    measured_value(what) = column(what)
    floor_at(ignored) = of_convolve(column("median_ms") / column("x_floor"))
    stats data using (floor_at(0)) nooutput name "FLOOR"
    also = sprintf("%g", FLOOR_min)
    last = 'data using "filter_width":(floor_at(0)) with @floor_look'
}
if (kind eq "taps") {
    # Relative to Convolve are the charts of all steps, so where this curve jumps, all of theirs do.
    # The time of the whole image, by its pixels and their w x w multiply-adds; 1 ms are 10^9 ps.
    set ylabel "ps per multiply-add"
    measured_value(what) = column(what) * 1e9 / (column("width") * column("height") * column("filter_width")**2)
    logarithmic = 0
}
if (kind eq "floor") {
    # The floor is the least time that the device's ceilings allow.
    set ylabel "times the floor, logarithmic"
    measured_value(what) = column("x_floor") * column(what) / column("median_ms")
    also = "1"
    first = '1 with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "floor, see roofline/"'
}
if (kind eq "percent") {
    measured_value(what) = percent(what)
    floor_at(ignored) = of_convolve(100.0 / column("x_floor"))
    if (base eq "Convolve") { stats data using (floor_at(0)) nooutput name "FLOOR" } else { FLOOR_min = 110 }
    # One kernel that takes many times as long would press all others to the ground.
    stats data using (place(strcol("kernel"), shown) ? measured_value("median_ms") : NaN) nooutput name "SLOWEST"
    logarithmic = SLOWEST_max > 300
    also = logarithmic ? sprintf("110 %g", FLOOR_min / 1.14) : "110"
    set ylabel "% of ".base."'s time".(logarithmic ? ", logarithmic" : " (lower is faster)")
    first = '100 with lines linetype 1 linewidth 2 title base." = 100 %"'.(base eq "Convolve" ? ', data using "filter_width":(floor_at(0)) with @floor_look' : "")
    if (exists("published")) {
        last = 'published using "filter_width":"relative_percent" with points linetype published_colour \
            pointtype published_point pointsize 1.6 * point_size title published_by'
    }
    if (exists("published_line")) {
        last = 'published_line using (WIDTH_min):"relative_percent":(WIDTH_max - WIDTH_min):(0) \
            with vectors nohead linetype published_colour linewidth 2 dashtype 2 title published_by'
    }
    if (exists("unoptimised")) {
        off(k) = chosen(k) ? column("relative_percent") : NaN
        last = 'for [k in common(added, kernels_in(unoptimised))] unoptimised \
            using "filter_width":(off(k)):"relative_low":"relative_high" with yerrorlines linecolor rgb colour(k) \
            pointtype look(k, markers) dashtype 2 linewidth 1.3 pointsize point_size title "the same, optimiser off, ".head(unoptimised, "size")'.(exists("last") ? ", ".last : "")
    }
}
load here."curves.gp"
