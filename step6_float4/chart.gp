# What this step's chart shows, see plots/steps.gp: packed arithmetic without a constant width and with one, and its rival
# of step 4. The wide loads are in chapter 7's chart; the floor is far below all of them.
added = "Convolve_Float4 Convolve_Def_Float4If Convolve_Def_UnrollAll"
rest = ""
has_floor = 0
