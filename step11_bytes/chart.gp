# What this step's chart shows, see plots/steps.gp: milliseconds, beside the best kernel on floats. On a GPU that is what
# the search found for an image of this size.
added = is_gpu(data) ? "Convolve_Bytes Convolve_Bytes_Matrix" : "Convolve_Bytes16 Convolve_Bytes_Dot32 Convolve_Fft16:bytes"
rest = is_gpu(data) ? "" : "Convolve_Block16_Stream"
kind = "time"
if (is_gpu(data) && head(data, "copy_bytes_per_s") ne "") {
    kind = "ms" # without the floor, which the data lack: at least two bytes for each pixel have to be moved
    set ylabel "median time in ms, logarithmic"
    measured_value(what) = column(what)
    pixels = real(word(head(data, "size"), 1)) * real(word(head(data, "size"), 3))
    copy_ms = 2e3 * pixels / real(head(data, "copy_bytes_per_s"))
    also = sprintf("%g", copy_ms / 1.1)
    first = sprintf("%g", copy_ms).' with lines dashtype 2 linewidth 2 linecolor rgb "#606060" title "two bytes for each pixel, copied"'
    if (exists("floats")) {
        if (head(floats, "size") eq head(data, "size")) {
            first = first.', floats using "filter_width":(chosen("Tuned") && column("filter_width") <= WIDTH_max ? column("median_ms") : NaN) \
                with linespoints linewidth 1.3 linecolor rgb "#a0a0a0" pointtype 11 pointsize point_size title "Tuned, on floats"'
        }
    }
}
