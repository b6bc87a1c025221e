# Step 5: what unrolling gains, published (C7.3, C7.4) and measured. The same as chapter7.gp, but for these two kernels alone.
headline = "Step 5: gain by unrolling, 7 x 7 filter"
versions = "Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll"
load system("dirname '".ARG0."'")."/chapter7.gp"
