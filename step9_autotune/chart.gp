# What this step's chart shows in grey, see plots/steps.gp: kernels with the same block for all
# widths, of step 7 where those of step 8 were not run; and the transforms.
rest = (common(new_in("8"), kernels_in(data)) eq "" ? new_in("7") : new_in("8"))." ".new_in("10")
