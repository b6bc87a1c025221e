# Step 7: the kernel with register tiles, and the best before it.
#     gnuplot -e "data='ladder.csv'; out='step7.svg'" step7.gp
headline = "Step 7: a block of outputs in each work-item"
load system("dirname '".ARG0."'")."/style.gp"
kernels = "Convolve_Def_Local_UnrollAll Convolve_Def_Float4 Convolve_Tile"
load here."times_floor.gp"
