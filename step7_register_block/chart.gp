# What this step's chart shows, see plots/steps.gp: the kernels that the page compares, those of step 4 in grey.
added = "Convolve_Two Convolve_Block".(is_gpu(data) ? "" : " Convolve_Block16")
rest = "Convolve_Def".(is_gpu(data) ? "" : " Convolve_Def_UnrollAll")
