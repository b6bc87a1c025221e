# What this step's chart shows in grey, see plots/steps.gp: the best blocks that are the same for all widths.
rest = is_gpu(data) ? "Convolve_Baked Convolve_Fast" : "Convolve_Block Convolve_Block16_Stream"
