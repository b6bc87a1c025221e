# Step 7: the kernels that compute a block of outputs per work-item, and the one that they grew from.
#     gnuplot -e "data='ladder.csv'; out='step7.svg'" step7.gp
headline = "Step 7: a block of outputs in each work-item"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(7)
load here."times_floor.gp"
