# Step 6: AMD's kernels, each in a panel of its own, with the only published run of them, by a third party in 2013.
# The tenth is Convolve, the 100 % line.
headline = "Step 6: float4 arithmetic, and the published run of the same kernels"
height = 740
load system("dirname '".ARG0."'")."/style.gp"
published = here."published/amd-step6-third-party.csv"
panels = minus(common(all_kernels, kernels_in(published)), "Convolve")
if (common(new_in("6"), kernels_in(data)) eq "") { exit status 3 }
files = "'".data."'"
titles = "'measured: the kernel above the panel'"
grey_title = "measured: the kernel that it grew from"
published_title = "published: Intel i3, ".head(published, "size").", 2013"
load here."panels.gp"
