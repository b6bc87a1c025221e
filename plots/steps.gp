# The charts of the steps over filter width: `chart` is step1, step2, ..., step5_work_group, baseline, or the folder of a
# step of your own.
# blocks, another CSV, is drawn if it has kernels of the step: a run of fewer of them on a larger image, on a device that
# needs too long for all. data2 has the same kernels in work-groups of another shape.
step = chart[1:4] eq "step" ? chart[5:] : chart
# From the step on that leaves the growing convolution.cl behind, the measure is the floor.
kind = chart eq "baseline" ? "taps" : chart eq "step1" ? "time" : \
    words(new_in(step)) && file_of(word(new_in(step), 1)) ne "convolution.cl" ? "floor" : "percent"
height = chart eq "baseline" ? 340 : 500

# What a step adds is drawn in colour; what it grew from, or what stands in `rest`, in grey.
added = chart eq "baseline" ? "Convolve" : new_in(step)
# The shape of a work-group counts where there are banks.
if (exists("data2")) {
    added = is_gpu(data) ? "Convolve_Local" : ""
    rest = ""
}
if (exists("blocks")) { if (common(added, kernels_in(blocks)) ne "") { data = blocks; files = "'".data."'" } }
# Or as chart.gp says in the folder of the step.
special = system("ls -d ".chart."_*/chart.gp 2> /dev/null")
if (special ne "") { load special }
# History: steps 2 and 3 as their source measured them.
if (chart eq "sawtooth") {
    added = "Convolve_Unroll Convolve_UnrollIf"
    rest = ""
    has_floor = 0
    published = "plots/published/amd-step4.csv"
}

measured = kernels_in(data)
# A step of your own may have another baseline: its first kernel.
baseline = place("Convolve", measured) ? "Convolve" : word(measured, 1)
own = place(chart, steps)
# Its title is that of its page.
page_title = own ? system("cat studies/".chart."/README.md ".chart."/README.md 2> /dev/null | sed -n '1s/^# //p'") : ""
if (page_title ne "") { headline = page_title }
if (own && common(new_in(step), minus(measured, baseline)) eq "" && place(baseline, added)) { kind = "time" }
if (kind eq "percent" || kind eq "floor") { measured = minus(measured, baseline) }
if (common(added, measured) eq "") { exit status 3 }
if (!exists("rest")) { rest = minus(parents_of(common(added, measured)), baseline) }
# What the step adds comes last, so that it is drawn over the rest.
shown = joined(common(minus(rest, added), measured), common(added, measured))
drawn = added
load "plots/style.gp"
added = drawn

title_of(kernel) = kernel eq "OpenMP" ? "OpenMP, on the host's CPU" : kernel.(exists("data2") ? ", 16 x 16" : "")
of_baseline(number) = chosen(baseline) ? number : NaN
floor_look = 'lines dashtype (7,5) linecolor rgb "#505050" linewidth 1.2 title "floor"'
logarithmic = 1
last = ""
if (!exists("has_floor")) { has_floor = words(minus(ask("column", data, "x_floor"), "-")) > 0 }

if (kind eq "time") {
    # The work grows with the square of the filter width: only a logarithmic axis shows both ends.
    set ylabel "median time in ms, logarithmic"
    measured_value(what) = column(what)
    floor_at(ignored) = of_baseline(column("median_ms") / column("x_floor"))
    also = ""
    if (has_floor) {
        stats data using (floor_at(0)) nooutput name "FLOOR"
        also = sprintf("%g", FLOOR_min)
        last = ', data using "filter_width":(floor_at(0)) with @floor_look'
    }
}
if (kind eq "taps") {
    # Relative to Convolve are the charts of all steps, so where this curve jumps, all of theirs do.
    # The time of the whole image, by its pixels and their w x w multiply-adds; 1 ms are 10^9 ps.
    set ylabel "ps per multiply-add"
    measured_value(what) = column(what) * 1e9 / (column("width") * column("height") * column("filter_width")**2)
    logarithmic = 0
}
if (kind eq "floor") {
    if (!has_floor) { exit status 3 }
    # The floor is the least time that the device's ceilings allow.
    set ylabel "times the floor, logarithmic"
    measured_value(what) = times_floor(what)
    also = "1"
    first = '1 with lines linecolor rgb "#606060" linewidth 2 dashtype 2 title "floor"'
}
if (kind eq "percent") {
    measured_value(what) = percent(what)
    # A step that is no convolution may have none.
    floor_at(ignored) = of_baseline(100.0 / column("x_floor"))
    FLOOR_min = 1e9
    if (has_floor) { stats data using (floor_at(0) > 0 ? floor_at(0) : 1e9) nooutput name "FLOOR" }
    # Two rows that take many times as long would press all others to the ground.
    stats data using (place(strcol("kernel"), shown) && measured_value("median_ms") > 300) nooutput name "SLOW"
    logarithmic = SLOW_sum > 1 || own
    also = logarithmic && FLOOR_min < 1e9 ? sprintf("110 %g", FLOOR_min / 1.14) : "110"
    set ylabel "% of ".baseline."'s time".(logarithmic ? ", logarithmic" : " (lower is faster)")
    first = '100 with lines linetype 1 linewidth 2 title "'.baseline.' = 100 %"'.\
        (FLOOR_min < 1e9 ? ', data using "filter_width":(floor_at(0)) with @floor_look' : "")
    if (exists("published")) {
        last = last.', published using "filter_width":(chosen("Convolve_Unroll") ? column("relative_percent") : NaN) with points \
            linetype published_colour pointtype published_point pointsize 1.6 * point_size title "published: Unroll, AMD 2009"'
    }
}
load "plots/curves.gp"
