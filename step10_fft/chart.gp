# What this step's chart shows in grey, see plots/steps.gp: the best kernel of one multiply-add per tap.
rest = is_gpu(data) ? "Convolve_Fast" : "Convolve_Block16_Stream"
