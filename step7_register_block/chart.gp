# What this step's chart shows, see plots/steps.gp: each block beside the kernel that it grew from.
added = "Convolve_Two Convolve_Block".(is_gpu(data) ? "" : " Convolve_Block16_Stream")
rest = "Convolve_Def"
