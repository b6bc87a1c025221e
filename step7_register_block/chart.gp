# What this step's chart shows, see plots/steps.gp: the kernels of the device's page, that of step 4 in grey.
added = is_gpu(data) ? "Convolve_Two Convolve_Block" : "Convolve_Block Convolve_Block16"
rest = "Convolve_Def".(is_gpu(data) ? "" : "_UnrollAll")
