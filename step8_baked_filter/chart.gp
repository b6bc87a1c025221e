# What this step's chart shows, see plots/steps.gp: on a CPU also the block that is made for it, not Convolve_Fast.
if (!is_gpu(data)) {
    added = "Convolve_Baked"
    rest = "Convolve_Block_Restrict Convolve_Block16_Stream"
}
