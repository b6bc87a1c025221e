# A step of one's own: the kernels that kernels.csv lists for its folder.
#     gnuplot -e "folder='own_step'; data='own_step.csv'; out='own_step.svg'" own.gp
headline = folder.": a step of one's own"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(folder)
load here."relative.gp"
