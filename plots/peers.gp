# The convolution by other libraries and by the tutorial's kernels: rate over the filter's width, below the roofline.
# data, a CSV of convolution_peers. Beside a GPU's curves stand the published rates at 15 x 15 (CA.1, CA.2).
height = 560
load system("dirname '".ARG0."'")."/style.gp"

# The libraries beside the tuned kernel.
others = "OpenCV OpenCV_split OpenCV_OpenCL NPP cuDNN FFTW cuFFT"
added = "Tuned ".others
known = all_kernels." ".others
colours = colours." 3 8 6 3 8 6 6"
markers = markers." 6 4 8 10 12 14 14"
dashes = dashes." 2 4 2 2 4 3 3"
thickness(kernel) = place(kernel, "Tuned") ? 2.5 : 1.2
shown = common(added, kernels_in(data))
by_host = ask("clock", data, "") eq "event" ? " (host clock)" : ""
title_of(kernel) = kernel.(kernel[1:6] eq "OpenCV" ? by_host : "")

measured_value(what) = column("gpixels_per_s") * column("median_ms") / column(what)
# Every row knows the roofline; those of the first kernel are taken.
first_kernel = word(kernels_in(data), 1)
roofline(ignored) = chosen(first_kernel) ? column("gpixels_per_s") * column("x_floor") : NaN
stats data using (roofline(0)) nooutput name "ROOF"
also = sprintf("%g", ROOF_max)
logarithmic = 1
set ylabel "Gpixel/s, logarithmic (higher is better)"
first = 'data using "filter_width":(roofline(0)) with lines linecolor rgb "#c0c0c0" linewidth 5 title "roofline"'
if (is_gpu(data)) {
    anchors = here."published/anchors.csv"
    gpixels(id) = strcol("id") eq id ? 4096 * 4096 * 1e-6 / column("median_ms") : NaN
    of_anchors = 'using (15):(gpixels(id)) with points linetype published_colour pointsize 1.1 * point_size'
    last = ', for [id in "CA.1"] anchors @of_anchors pointtype published_point title "published: best found", \
        for [id in "CA.2"] anchors @of_anchors pointtype 12 title "published: naive kernel"'
}
load here."curves.gp"
