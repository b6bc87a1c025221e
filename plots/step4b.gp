# Step 4: the three kernels that are built for one filter width.
#     gnuplot -e "data='ladder.csv'; out='step4b.svg'" step4b.gp
headline = "Step 4: filter width known at build time"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(4)
rest = ""
load here."relative.gp"
