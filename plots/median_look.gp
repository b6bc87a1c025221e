# The look of the median kernels in `shown`, for curves.gp.
known = shown
colours = "1 6 4 8"
markers = "6 4 8 10"
dashes = "1 2 3 4"
added = shown
thickness(kernel) = 1.3
title_of(kernel) = kernel
