# Step 4: the filter width as a constant, beside AMD's "about 20 %, particularly at small widths" (C5.1).
#     gnuplot -e "data='ladder.csv'; out='step4a.svg'" step4a.gp
headline = "Step 4: Convolve built for one filter width"
load system("dirname '".ARG0."'")."/style.gp"
added = "Convolve_Def"
# AMD names no filter width for the figure: it is a line, not a point.
published_line = here."published/amd-step5.csv"
published_by = "published: about 20 % less, AMD 2009"
load here."relative.gp"
