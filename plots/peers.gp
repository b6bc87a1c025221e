# The convolution by other libraries and by the tutorial's kernels: rate over the filter's width, below the roofline.
# data, a CSV of convolution_peers.
height = 560
load "plots/style.gp"

# The libraries beside the tuned kernel.
others = "OpenCV_split NPP cuDNN FFTW cuFFT Halide"
added = "Tuned ".others
known = all_kernels." ".others
colours = colours." 8 3 8 6 6 4"
markers = markers." 4 10 12 14 14 8"
dashes = dashes." 4 2 4 3 3 2"
thickness(kernel) = place(kernel, "Tuned") ? 2.5 : 1.2
shown = common(added, kernels_in(data))

measured_value(what) = column("gpixels_per_s") * column("median_ms") / column(what)
# Every row knows the roofline; those of the first kernel are taken.
first_kernel = word(kernels_in(data), 1)
roofline(ignored) = chosen(first_kernel) ? column("gpixels_per_s") * column("x_floor") : NaN
stats data using (roofline(0)) nooutput name "ROOF"
also = sprintf("%g", ROOF_max)
logarithmic = 1
set ylabel "Gpixel/s, logarithmic (higher is better)"
first = 'data using "filter_width":(roofline(0)) with lines linecolor rgb "#c0c0c0" linewidth 5 title "roofline"'
load "plots/curves.gp"
