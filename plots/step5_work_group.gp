# Step 5: two shapes of work-groups with the same number of work-items, 16 x 16 and 32 x 8. Each kernel has a panel.
headline = "Step 5: work-groups of 16 x 16 and of 32 x 8"
height = 430
load system("dirname '".ARG0."'")."/style.gp"
panels = common(common(new_in("5"), kernels_in(data)), kernels_in(data2))
files = "'".data."' '".data2."'"
titles = "'16 x 16' '32 x 8'"
load here."panels.gp"
