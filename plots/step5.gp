# Step 5: the kernels that cache their tile in local memory.
#     gnuplot -e "data='ladder.csv'; out='step5.svg'" step5.gp
headline = "Step 5: tile cached in local memory"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(5)
load here."relative.gp"
