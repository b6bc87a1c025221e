# What this step's chart shows, see plots/steps.gp: the constant alone, and with all loops unrolled. The other two lie
# upon them on a GPU, and beside the first on a CPU.
added = "Convolve_Def Convolve_Def_UnrollAll"
rest = ""
