# How the charts read a CSV: lines `# key: value`, which gnuplot skips; then the names of the columns; then the rows.
# charts.sh loads this and then the chart's script, and sets chart, its name; data, the CSV to draw, and perhaps others;
# out, the picture, SVG. A script whose CSV has nothing for its chart ends with exit status 3.
set encoding utf8
set datafile separator comma
set datafile columnheaders
# A script picks the rows of a kernel by making all others NaN. "Missing" rows do not break a line.
set datafile missing NaN
chosen(kernel) = strcol("kernel") eq kernel

# All files whose rows a script draws.
files = "'".data."'".(exists("data2") ? " '".data2."'" : "")

# The program that reads results answers the rest.
ask(question, file, detail) = system("\"$REPORT\" ask ".question." '".file."' '".detail."'")
head(file, key) = ask("head", file, key)
kernels_in(file) = ask("kernels", file, "")
is_gpu(file) = head(file, "device_type") eq "GPU"
# The last value of a kernel, or of what else has a row, at a filter width; 0 if there is none.
cell(file, kernel, width, column) = 0 + system("awk -F, '/^kernel,/ { for (i = 1; i <= NF; i++) if ($i == \"".column."\") place = i } \
    $1 == \"".kernel."\" && $2 == ".width." { value = $place } END { print value == \"\" ? 0 : value }' '".file."'")

# The place of a word in a list: 1 is the first, 0 says that it is not there.
place(item, list) = (sum [i=1:words(list)] (word(list, i) eq item ? i : 0))
# The words of list `a` that are in list `b`; and `a` with those of `b` that it lacks; and `a` without those of `b`.
common(a, b) = (list = "", (sum [i=1:words(a)] (place(word(a, i), b) ? (list = list." ".word(a, i), 0) : 0)), list)
joined(a, b) = (list = a, (sum [i=1:words(b)] (place(word(b, i), a) ? 0 : (list = list." ".word(b, i), 0))), list)
minus(a, b) = (list = "", (sum [i=1:words(a)] (place(word(a, i), b) ? 0 : (list = list." ".word(a, i), 0))), list)

# The list of all kernels: their order, their looks, the step that adds them and the kernel that each grew from.
list_of_kernels = "kernels.csv"
all_kernels = kernels_in(list_of_kernels)
listed(column) = ask("column", list_of_kernels, column)
steps = listed("step")
parents = listed("parent")
file_of(kernel) = word(listed("file"), place(kernel, all_kernels))
new_in(step) = (list = "", (sum [i=1:words(steps)] (word(steps, i) eq step ? (list = list." ".word(all_kernels, i), 0) : 0)), list)
parent(kernel) = place(kernel, all_kernels) ? word(parents, place(kernel, all_kernels)) : "-"
# The kernels that these grew from, without these and without Convolve, the baseline of all charts.
parents_of(list) = (parents_list = "", (sum [i=1:words(list)] (parents_list = joined(parents_list, parent(word(list, i))), 0)), \
    minus(parents_list, list." Convolve -"))

# A row's time in % of the baseline's, or over the floor, by `what`: median_ms, or low_ms or high_ms, an end of its interval.
end_of(what, median, low, high) = column(what eq "median_ms" ? median : what eq "low_ms" ? low : high)
percent(what) = end_of(what, "relative_percent", "relative_low", "relative_high")
times_floor(what) = end_of(what, "x_floor", "x_floor_low", "x_floor_high")
