# Time relative to Convolve over filter width. Not a chart of its own: a step's script sets `headline`, loads
# style.gp, sets `added` (see shown.gp), and loads this. It may also set `published_by`, for the legend, and one of
#     published       a CSV of published points
#     published_line  a CSV of a published figure that has no filter width
load here."width_axis.gp"

# A loop from 1 to 0 draws nothing, but gnuplot still opens its file and makes room for its title.
$nothing << EOD
kernel,filter_width,relative_percent,x_floor
Convolve,1,100,1
EOD
points = exists("published")
lines = exists("published_line")
floors = has_floor(data)
if (!points) published = "$nothing"
if (!lines) published_line = "$nothing"
points_title = points ? published_by : ""
line_title = lines ? published_by : ""
floor_data = floors ? data : "$nothing"
floor_title = floors ? "floor, see roofline/" : ""

load here."shown.gp"
# The interval in per cent of the same baseline.
percent(what) = column("relative_percent") * column(what) / column("median_ms")
plotted(f, what) = place(strcol("kernel"), shown) ? percent(what) : NaN
of(kernel, what) = chosen(kernel) ? percent(what) : NaN
files = "'".data."'"
at_least_to = 110

# One kernel that takes many times as long would press all others to the ground.
stats data using (plotted(1, "median_ms")) nooutput name "SLOWEST"
logarithmic = SLOWEST_max > 300
load here."value_axis.gp"
# The floor, in per cent of the same baseline.
floor_percent(kernel) = chosen(kernel) ? 100.0 / column("x_floor") : NaN
if (logarithmic && floors) {
    stats data using (floor_percent("Convolve")) nooutput name "FLOOR"
    if (FLOOR_min / 1.2 < bottom) { bottom = FLOOR_min / 1.2 }
}
set yrange [bottom:top]
if (logarithmic) { load here."log_tics.gp" }
set ylabel "% of Convolve's time".(logarithmic ? ", logarithmic" : " (lower is faster)")

legend_titles = "'Convolve = 100 %' ".shown." ".(floors ? "'floor, see roofline/' " : "").(points || lines ? "'".published_by."' " : "").cut_entry
load here."legend.gp"
plot 100 with lines linetype 1 linewidth 2 title "Convolve = 100 %", \
     for [i=1:floors] floor_data using "filter_width":(floor_percent("Convolve")) \
         with @floor_look title floor_title, \
     for [k in shown] data using "filter_width":(of(k, "median_ms")):(cut(of(k, "low_ms"))):(cut(of(k, "high_ms"))) \
         with yerrorlines linecolor rgb colour(k) pointtype look(k, markers) dashtype look(k, dashes) \
         linewidth 1.3 pointsize point_size title k, \
     for [end in "low_ms high_ms"] data using "filter_width":(arrow_from(1, end)):(0):(arrow_by(1, end)) \
         with vectors @cut_look linecolor rgb "#404040" title (end eq "low_ms" ? cut_title : ""), \
     for [i=1:lines] published_line using (width_min):"relative_percent":(width_max - width_min):(0) \
         with vectors nohead linetype published_colour linewidth 2 dashtype 2 title line_title, \
     for [i=1:points] published using "filter_width":"relative_percent" \
         with points linetype published_colour pointtype published_point pointsize 1.6 * point_size title points_title
