# Step 9: the same tile for all widths, and the tuned one.
#     gnuplot -e "data='ladder.csv'; out='step9.svg'" step9.gp
headline = "Step 9: what the search found"
load system("dirname '".ARG0."'")."/style.gp"
kernels = "Convolve_Tile Convolve_Baked Convolve_Fast Tuned"
load here."times_floor.gp"
