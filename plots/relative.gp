# Time relative to Convolve over filter width. Not a chart of its own: a step's script sets `headline`, loads
# style.gp, sets `kernels`, and loads this. It may also set `published_by`, for the legend, and one of
#     published       a CSV of published points
#     published_line  a CSV of a published figure that has no filter width
load here."width_axis.gp"
set ylabel "% of Convolve's time (lower is faster)"
set yrange [0:115<*]

# The interval in per cent of the same baseline. A published run has none.
has_interval = int(system("grep -c low_ms '".data."'"))
relative(kernel) = chosen(kernel) ? column("relative_percent") : NaN
low(kernel)  = has_interval ? relative(kernel) * column("low_ms")  / column("median_ms") : relative(kernel)
high(kernel) = has_interval ? relative(kernel) * column("high_ms") / column("median_ms") : relative(kernel)

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
floor_data = floors ? data : "$nothing"
floor_title = floors ? "floor, see roofline/" : ""
# The floor, in per cent of the same baseline.
floor_percent(kernel) = chosen(kernel) ? 100.0 / column("x_floor") : NaN
line_title = lines ? published_by : ""
points_title = points ? published_by : ""

shown = without("Convolve", common(kernels, kernels_in(data)))
legend_entries = 1 + words(shown) + points + lines + floors
load here."legend.gp"

plot 100 with lines linetype 1 linewidth 2 title "Convolve = 100 %", \
     for [i=1:floors] floor_data using "filter_width":(floor_percent("Convolve")) \
         with @floor_look title floor_title, \
     for [k in shown] data using "filter_width":(relative(k)):(low(k)):(high(k)) \
         with yerrorlines linetype look(k, colours) pointtype look(k, markers) dashtype look(k, dashes) \
         linewidth 1.3 pointsize point_size title k, \
     for [i=1:lines] published_line using (width_min):"relative_percent":(width_max - width_min):(0) \
         with vectors nohead linetype published_colour linewidth 2 dashtype 2 title line_title, \
     for [i=1:points] published using "filter_width":"relative_percent" \
         with points linetype published_colour pointtype published_point pointsize 1.6 * point_size title points_title
