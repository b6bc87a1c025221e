# What this step's chart shows in grey, see plots/steps.gp: all that was measured.
rest = minus(kernels_in(data), "Convolve")
