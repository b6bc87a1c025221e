# Step 9: the kernels of step 8, with the same block for all widths, and the tuned one.
#     gnuplot -e "data='ladder.csv'; out='step9.svg'" step9.gp
headline = "Step 9: what the search found"
load system("dirname '".ARG0."'")."/style.gp"
kernels = new_in(8).new_in(9)
load here."times_floor.gp"
