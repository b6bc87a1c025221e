# What this step's chart shows, see plots/steps.gp: milliseconds, beside the best kernel on floats. On a GPU that is what
# the search found for an image of this size, and there is a library.
added = is_gpu(data) ? "Convolve_Bytes_Matrix" : "Convolve_Bytes_Dot32 Convolve_Fft16:bytes"
rest = is_gpu(data) ? "NPP" : "Convolve_Block16_Stream"
kind = "time"
if (is_gpu(data) && exists("floats")) {
    if (head(floats, "size") eq head(data, "size")) {
        first = 'floats using "filter_width":(chosen("Tuned") ? column("median_ms") : NaN) with linespoints linewidth 1.3 \
            linecolor rgb "#505050" pointtype 11 pointsize point_size title "Tuned, on floats"'
    }
}
