# What this step's chart shows, see plots/steps.gp: the tile, the tile with all loops unrolled, and the image.
added = "Convolve_Local Convolve_Def_Local_UnrollAll Convolve_Image"
rest = ""
