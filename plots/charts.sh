#!/bin/sh
# Draws every chart whose data are there, as SVG and PNG; with CHART_FORMATS=svg as SVG only.
#     plots/charts.sh RESULTS_DIR OUT_DIR [OTHER_RESULTS_DIR]
# RESULTS_DIR holds CSVs of the programs: ladder.csv, the sweep of all kernels; those of chapter 7's
# comparison, the median filter and the edge conditions, by the names below. OTHER_RESULTS_DIR, another
# device's results, adds a second panel to the ladder chart, and bars to the one of 128-bit access.
set -eu
# Without a locale gnuplot complains about characters that it does not even draw.
export LC_ALL=C.UTF-8

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: $0 RESULTS_DIR OUT_DIR [OTHER_RESULTS_DIR]" >&2
    exit 1
fi
results=$1
out=$2
other=${3:-}
here=$(dirname "$0")

# has CSV KERNEL...: whether the file is there and has rows of all these kernels.
has() {
    csv=$1
    shift
    [ -f "$csv" ] || return 1
    have=" $(awk -f "$here/csv.awk" -v ask=kernels "$csv") "
    for kernel in "$@"; do
        case $have in
            *" $kernel "*) ;;
            *) return 1 ;;
        esac
    done
}

# draw CHART [SETTINGS [NAME]]: runs CHART.gp with gnuplot's variables set, into NAME.svg and NAME.png (CHART.svg, ...).
draw() {
    for format in ${CHART_FORMATS:-svg png}; do
        if ! gnuplot -e "${2:-} out='$out/${3:-$1}.$format'" "$here/$1.gp"; then
            rm -f "$out/${3:-$1}.$format"
            echo "$0: gnuplot could not draw ${3:-$1}.$format" >&2
            exit 1
        fi
    done
    echo "$out/${3:-$1}.svg, .png"
}

ladder=$results/ladder.csv
small=$results/chapter7-600x400.csv
large=$results/chapter7-4096x4096.csv
if ! ls "$results"/*.csv > /dev/null 2>&1; then
    echo "$0: no CSV in $results" >&2
    exit 1
fi
mkdir -p "$out"

# draw_step CHART: if the ladder was measured with a new kernel of that step; fails if not.
draw_step() {
    for kernel in $(awk -f "$here/csv.awk" -v ask=new -v "step=${1%[ab]}" "$here/../kernels.csv"); do
        if has "$ladder" "$kernel"; then
            draw "step$1" "data='$ladder';"
            return
        fi
    done
    return 1
}

# Over Convolve, the 100 % line.
if has "$ladder" Convolve; then
    for step in 1 2 3 4a 4b 5 6; do draw_step $step || true; done
    draw baseline "data='$ladder';"
fi
# Over the floor, which older files do not have; blocks.csv is a run with fewer kernels on a larger image, for devices
# that need too long for all.
for step in 7 8 9; do
    for ladder in "$results/blocks.csv" "$results/ladder.csv"; do
        if [ "$(awk -f "$here/csv.awk" -v ask=floor "$ladder" 2> /dev/null)" = 1 ] && draw_step $step; then break; fi
    done
done
ladder=$results/ladder.csv

# The shape of the work-groups in step 5.
square=$results/work-group-16x16.csv
flat=$results/work-group-32x8.csv
tiles="Convolve_Local Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll"
# shellcheck disable=SC2086  # a list of kernels
if has "$square" $tiles && has "$flat" $tiles; then
    draw step5_work_group "data='$square'; data2='$flat';"
    if has "$small" $tiles; then draw step5_published "data='$small'; data2='$square'; data3='$flat';"; fi
fi

for folder in $("$here/../tools/steps.sh" own); do
    if has "$results/$folder.csv" Convolve; then
        draw own "folder='$folder'; data='$results/$folder.csv';" "$folder"
    fi
done

versions="Convolve_Local:tight $(awk -f "$here/csv.awk" -v ask=kernels "$here/published/chapter7.csv")"
# shellcheck disable=SC2086  # a list of kernels
if has "$small" $versions && has "$large" $versions; then
    draw chapter7 "data='$small'; data2='$large';"
elif has "$small" $versions; then
    draw chapter7 "data='$small';"
elif has "$large" $versions; then
    draw chapter7 "data='$large';"
fi

if has "$ladder" Convolve; then
    sweep="data='$ladder';"
    if [ -n "$other" ] && has "$other/ladder.csv" Convolve; then
        sweep="$sweep data2='$other/ladder.csv';"
    fi
    draw ladder "$sweep"
fi

median=$results/median.csv
if has "$median" medianfilter_rgba median_gray; then
    settings="data='$median';"
    for peer in "$results/median_opencv.csv" "$results/median_npp.csv"; do
        if [ -f "$peer" ]; then settings="$settings peers='$peer';"; fi
    done
    draw median "$settings"
    settings="data='$median';"
    if [ -n "$other" ] && has "$other/median.csv" median_gray; then
        settings="data='$other/median.csv'; data2='$median';"
    fi
    draw median_access "$settings"
fi
work_groups=$results/median_work_groups.csv
if [ -f "$work_groups" ]; then
    draw median_work_group "data='$work_groups';"
    draw median_global_size "data='$work_groups';"
fi

peers=$results/peers.csv
if has "$peers" Convolve; then draw peers "data='$peers';"; fi

hd=$results/edge_conditions-1920x1080.csv
uhd=$results/edge_conditions-7680x4320.csv
if has "$hd" Smooth_Branches Smooth_Padded && has "$uhd" Smooth_Branches Smooth_Padded; then
    draw edge_conditions "data='$hd'; data2='$uhd';"
fi
