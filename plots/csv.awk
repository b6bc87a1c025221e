# Answers a question about a CSV of the tutorial, for csv.gp and charts.sh:
#     awk -f csv.awk -v ask=head -v key=device FILE    the value of a line `# key: value`; nothing if there is none
#     awk -f csv.awk -v ask=kernels [-v at=7] FILE     the kernels [at this filter width], each once, in the file's order
#     awk -f csv.awk -v ask=new -v step=5 kernels.csv  the kernels of this step
#     awk -f csv.awk -v ask=column -v key=dash kernels.csv  this column, a word per kernel, - if empty
#     awk -f csv.awk -v ask=width FILE                 the filter width for a chart of one width: 7 or the nearest to it
#     awk -f csv.awk -v ask=group -v of=NAME FILE  the work-group of this kernel, as 16 x 16
#     awk -f csv.awk -v ask=clock FILE                 `host` if the kernels were timed by the host's clock, else `event`
#     awk -f csv.awk -v ask=floor FILE                 1 if Convolve has its distance from the floor, x_floor, else 0
BEGIN { FS = ","; clock = "event" }
/^#/ {
    if (ask == "head" && index($0, "# " key ": ") == 1) {
        value = substr($0, length(key) + 5)
        gsub(/ +/, " ", value)  # some drivers pad the device's name with spaces
        sub(/^ /, "", value)
        sub(/ $/, "", value)
        print value
        exit
    }
    next
}
!("kernel" in column) {
    for (i = 1; i <= NF; ++i) column[$i] = i
    next
}
{
    kernel = $column["kernel"]
    if (!(kernel in seen) && (!at || $column["filter_width"] == at)) {
        seen[kernel]
        kernels = kernels (kernels == "" ? "" : " ") kernel
    }
    values = values " " ($column[key] == "" ? "-" : $column[key])
    if (step && $column["step"] == step) new = new " " kernel
    distance = $column["filter_width"] - 7
    if (distance < 0) distance = -distance
    if (!width || distance < nearest) {
        width = $column["filter_width"]
        nearest = distance
    }
    if (kernel == of && "local_x" in column) group = $column["local_x"] " x " $column["local_y"]
    if (kernel == "Convolve" && "x_floor" in column && $column["x_floor"] > 0) has_floor = 1
    # The OpenMP baseline and OpenCV have no event in any case; NAME:host is a kernel by both clocks.
    if (kernel !~ /^Open|:host$/ && "clock" in column && $column["clock"] == "host") clock = "host"
}
END {
    if (ask == "kernels") print kernels
    if (ask == "column") print values
    if (ask == "new") print new
    if (ask == "group") print group
    if (ask == "width") print width
    if (ask == "clock") print clock
    if (ask == "floor") print has_floor + 0
}
