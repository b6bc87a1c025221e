#!/usr/bin/env bash
# Measures what the charts and the tables of the READMEs show.
#     plots/measure.sh PROGRAMS RESULTS short|all LAST_STEP [ARGUMENTS of the last step's program]
# PROGRAMS is the folder with the built programs, RESULTS gets one CSV for each measurement below; short is the ladder
# alone, which the last step runs, at fewer filter widths. The device is that of the environment's TUTORIAL_DEVICE,
# as in the programs.
#
# Each filter width is a piece of its own in RESULTS/unfinished. A piece that is there is not measured again, unless
# a program, a kernel or an argument has changed, so an interrupted call goes on where it was. The CSVs in
# RESULTS are replaced when all pieces are complete, not before. Exit status: 0 all measured; 2 all but what is said on
# stderr; else nothing is replaced.
set -euo pipefail
programs=$(realpath "$1")
mkdir -p "$2"
results=$(realpath "$2")
extent=$3
last_step=$4
shift 4
# A file that is named among the arguments is relative to where the reader is.
reader_folder=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unfinished=$results/unfinished
mkdir -p "$unfinished"

# --- What is measured -------------------------------------------------------------------------------

# plan NAME SECONDS WIDTHS PROGRAM [ARGUMENTS]: one CSV. SECONDS is what it took on two cores or on an H200, from
# which the time left is estimated. WIDTHS are the program's filter widths, - for those of a program that runs once.
names=() seconds=() widths=() commands=()
plan() {
  [[ $extent == all || $1 == ladder ]] || return 0
  names+=("$1") seconds+=("$2") widths+=("$3")
  shift 3
  commands+=("${*@Q}")
}

# What a library is needed for is built only where the library was found.
plan_if_built() {
  if [[ $extent == all && ! -x $programs/$4 ]]; then
    echo "Not measured: $1.csv, because $4 was not built: it needs a library that was not found (see peers/README.md)."
  else
    plan "$@"
  fi
}

local_kernels=Convolve_Local:tight,Convolve_Local,Convolve_Def_Local_Unroll,Convolve_Def_Local_UnrollAll
local_kernels+=,Convolve_Local_Read4,Convolve_Local_Read4_UnrollAll

# Steps of one's own: each a CSV with the name of its folder.
plan_own_steps() { # SECONDS [ARGUMENTS]
  local folder
  for folder in $(tools/steps.sh own); do plan "$folder" "$1" 3,5,7,9,15,23,31 "$folder" "${@:2}"; done
}

plan_for_cpu() {
  local ladder=(--size 512x512 --time-budget 2 --search-budget 2)
  if [[ $extent == short && " $*" != *' --kernel'* ]]; then
    echo "Convolve_Image is left out: on a CPU it takes ten times as long as Convolve."
    ladder+=(--time-budget 1 --kernel "$(awk -F, '$2 ~ /^[0-9]/ && $1 != "Convolve_Image" { print $1 }' kernels.csv | paste -sd,)")
  fi
  plan ladder $ladder_seconds "$ladder_widths" "$last_step" "${ladder[@]}" "$@"
  plan blocks 350 2:12,14:17,20,24,28,31,32 step9_autotune --size 2048x2048 --time-budget 0.4 --search-budget 4 \
    --kernel Convolve,Convolve_Def_Float4If,Convolve_Two,Convolve_Block,Convolve_Block16,Convolve_Block16_Stream,Tuned
  plan motion-blur 30 7,15,31 step8_baked_filter --size 2048x2048 --filter motion-blur --time-budget 2 \
    --kernel Convolve,Convolve_Block16_Stream,Convolve_Baked16
  plan coalescing 45 3,5,7,16 step1_naive --size 2048x2048 --time-budget 8 --against step1_naive/swapped.cl
  plan_own_steps 60 --size 2048x2048 --time-budget 3
  plan work-group-16x16 30 3,7,16 step6_float4 --size 1024x1024 --work-group 16x16 --time-budget 1.5 \
    --kernel "$local_kernels"
  plan work-group-32x8 30 3,7,16 step6_float4 --size 1024x1024 --work-group 32x8 --time-budget 1.5 \
    --kernel "$local_kernels"
  plan chapter7-600x400 10 7 step6_float4 --size 600x400 --filter motion-blur --time-budget 3 \
    --kernel "$local_kernels,Convolve_Image"
  plan chapter7-4096x4096 30 7 step6_float4 --size 4096x4096 --filter motion-blur --time-budget 5 \
    --kernel "$local_kernels,Convolve_Image"
  plan occupancy 60 - plots/occupancy.sh Convolve_Block16 "16x1 32x1 16x2 32x2 64x2 64x4 64x8" \
    --size 2048x2048 --filter-width 7 --time-budget 1
  plan pipeline 20 - pipeline --size 4096x4096 --time-budget 10
  plan roofline 20 - roofline --size 4096x4096 --filter-width 2:32
  plan median 45 - median --noise 0.1 --size 4096x4096 --time-budget 30
  plan_if_built median_opencv 20 - median_opencv --noise 0.1 --size 4096x4096 --time-budget 10
  plan median_work_groups 40 - median_work_groups --noise 0.1 --size 65536x16 --time-budget 20
  plan edge_conditions-1920x1080 20 - edge_conditions --size 1920x1080 --time-budget 15
  plan edge_conditions-7680x4320 40 - edge_conditions --size 7680x4320 --time-budget 30
  plan_if_built peers 180 3,5,7,9,15,31 convolution_peers --size 4096x4096 --time-budget 0.5 --search-budget 15 \
    --kernel Convolve,Convolve_Def_Float4,Convolve_Block16_Stream,Tuned,OpenCV,OpenCV_split
}

plan_for_gpu() {
  local group_widths=3,5,7,8,11,16,17,24,31,32
  plan ladder $((ladder_seconds / 2)) "$ladder_widths" "$last_step" --size 4096x4096 --time-budget 0.3 --search-budget 3 "$@"
  plan coalescing 10 3,5,7,16 step1_naive --size 4096x4096 --time-budget 0.5 --against step1_naive/swapped.cl
  plan_own_steps 10 --size 4096x4096 --time-budget 0.5
  plan work-group-16x16 40 $group_widths step6_float4 --size 4096x4096 --work-group 16x16 --time-budget 0.3 \
    --kernel "$local_kernels"
  plan work-group-32x8 40 $group_widths step6_float4 --size 4096x4096 --work-group 32x8 --time-budget 0.3 \
    --kernel "$local_kernels"
  plan chapter7-600x400 5 7 step6_float4 --size 600x400 --filter motion-blur --time-budget 1 \
    --kernel "$local_kernels,Convolve_Image"
  plan chapter7-4096x4096 5 7 step6_float4 --size 4096x4096 --filter motion-blur --time-budget 1 \
    --kernel "$local_kernels,Convolve_Image"
  plan occupancy 20 - plots/occupancy.sh Convolve_Block "4x1 4x2 4x4 4x8 4x16 8x4 8x8" \
    --size 8192x8192 --filter-width 7 --time-budget 0.5
  plan restrict 20 - plots/occupancy.sh "Convolve_Baked Convolve_Fast" 4x8 \
    --size 8192x8192 --filter-width 7,8 --time-budget 0.5 --without restrict
  plan pipeline 15 - pipeline --size 4096x4096
  plan roofline 10 - roofline --size 8192x8192 --filter-width 2:32
  plan median 20 - median --noise 0.1 --size 8192x8192 --time-budget 10
  plan_if_built median_npp 10 - median_npp --noise 0.1 --size 8192x8192
  plan median_work_groups 20 - median_work_groups --noise 0.1 --size 65536x256 --time-budget 8
  plan edge_conditions-1920x1080 5 - edge_conditions --size 1920x1080 --time-budget 3
  plan edge_conditions-7680x4320 5 - edge_conditions --size 7680x4320 --time-budget 3
  plan_if_built peers 250 2,3,5,7,8,9,10,15,31 convolution_peers --size 8192x8192 --time-budget 1 --search-budget 8
}

# --- Pieces -----------------------------------------------------------------------------------------

fail() {
  echo "measure.sh: $*" >&2
  exit 1
}

# 2:5,9 as 2 3 4 5 9.
each_width() {
  local part
  for part in ${1//,/ }; do
    if [[ $part == *:* ]]; then seq "${part%:*}" "${part#*:}"; else echo "$part"; fi
  done
}

# The device, by a run of a moment: "DEVICE" and "CPU" or "GPU".
probe() {
  "$programs/step1_naive" --size 16x16 --filter-width 3 --time-budget 0.01 --csv "$unfinished/probe.csv" \
    > /dev/null || exit 1
  device=$(sed -n 's/^# device: //p' "$unfinished/probe.csv")
  device_type=$(sed -n 's/^# device_type: //p' "$unfinished/probe.csv")
  rm "$unfinished/probe.csv"
}

# What a measurement's figures depend on.
fingerprint() { # COMMAND
  echo "$device $1 $code"
}

# Runs measurement $1 at width $2 into $unfinished/NAME/WIDTH.csv.
run_piece() { # INDEX WIDTH
  local name=${names[$1]} reader_folder=$reader_folder piece arguments=() command=() exit_status=0
  piece=$unfinished/$name/$(printf '%02d' "${2/-/0}")
  eval "command=(${commands[$1]})"
  case ${command[0]} in
    plots/*) command=("$PWD/${command[0]}" "$programs" "${command[@]:1}") ;;
    *) command[0]=$programs/${command[0]} ;;
  esac
  [[ $2 == - ]] || arguments+=(--filter-width "$2")
  [[ $name != ladder || $last_step != step9_autotune ]] || arguments+=(--winners "$unfinished/search.csv")
  # Ctrl-C stops this script too; a program that stops for any other reason is reported at the end.
  [[ $name == ladder ]] || reader_folder=$PWD
  (cd "$reader_folder" && "${command[@]}" "${arguments[@]}" --csv "$piece.part") > "$piece.log" 2>&1 || exit_status=$?
  if ((exit_status)); then
    printf '\n%s at filter width %s ended with exit status %d:\n' "$name" "$2" "$exit_status" >&2
    cat "$piece.log" >&2
    status=2
  fi
  # Of a wrong kernel there is no row, but of the others.
  [[ ! -f $piece.part ]] || mv "$piece.part" "$piece.csv"
}

# One CSV from the pieces of a measurement: the head of the first with all filter widths and the highest of each
# ceiling, then all rows. Each row's x_floor is from the ceilings that were measured with it.
join_pieces() { # INDEX
  awk -v widths="${widths[$1]}" '
    /^# options: / {
      gsub(/ --(csv|winners|filter-width) [^ ]+/, "")
      if (widths != "-") $0 = $0 " --filter-width " widths
    }
    /^# / {
      key = $2
      if (key ~ /_per_s:$/) {
        higher = !(key in rate) || $3 > rate[key]
        if (higher) rate[key] = $3 + 0
      }
      if (!(key in head)) keys[++count] = key
      # A ceiling is followed by the type that reached it.
      if (!(key in head) || (key ~ /_per_s:$|_type:$/ && key != "device_type:" && higher)) head[key] = $0
      next
    }
    !columns { columns = $0; next }
    $0 != columns { rows[++row] = $0 }
    END {
      for (i = 1; i <= count; ++i) print head[keys[i]]
      print columns
      for (i = 1; i <= row; ++i) print rows[i]
    }' "$unfinished/${names[$1]}"/*.csv > "$unfinished/${names[$1]}.csv"
}

progress() { # DONE ALL SECONDS_LEFT TEXT
  local line
  line=$(printf '[%d/%d] %s, about %d min left' "$1" "$2" "$4" $((($3 + 59) / 60)))
  if [[ -t 2 ]]; then
    printf '\r%-79s' "$line" >&2
  elif [[ $4 != "$last_text" ]]; then
    echo "$line" >&2
    last_text=$4
  fi
}

# --- The whole --------------------------------------------------------------------------------------

probe
code=$({ find "$programs" -maxdepth 1 -type f -executable -exec cat {} +; cat ./*/*.cl; } | sha256sum)
# An H200 takes half of these seconds.
ladder_widths=2:32 ladder_seconds=1000
[[ $extent == all ]] || ladder_widths=3,7,8,16,19,20 ladder_seconds=120
if [[ $device_type == CPU ]]; then plan_for_cpu "$@"; else plan_for_gpu "$@"; fi

# A piece for each measurement and filter width: what it is, its share of the estimated time, whether it is there.
piece_of=() width_of=() share=() kept=0
for index in "${!names[@]}"; do
  name=${names[$index]}
  folder=$unfinished/$name
  print=$(fingerprint "${commands[$index]}")
  if [[ ! -f $folder/fingerprint || $(< "$folder/fingerprint") != "$print" ]]; then
    rm -rf "$folder"
    [[ $name != ladder ]] || rm -f "$unfinished/search.csv"
    mkdir -p "$folder"
    echo "$print" > "$folder/fingerprint"
  fi
  if [[ ${widths[$index]} == - ]]; then pieces=(-); else mapfile -t pieces < <(each_width "${widths[$index]}"); fi
  # Wide filters take longer, to compile as well: 31 x 31 three times as long as 3 x 3, in between about in proportion.
  weights=0
  for width in "${pieces[@]}"; do weights=$((weights + 10 + ${width/-/0})); done
  for width in "${pieces[@]}"; do
    if [[ -f $folder/$(printf '%02d' "${width/-/0}").csv ]]; then
      kept=$((kept + 1))
    else
      piece_of+=("$index") width_of+=("$width")
      # In milliseconds, because bash knows no fractions.
      share+=($((1000 * seconds[index] * (10 + ${width/-/0}) / weights)))
    fi
  done
done
((kept == 0)) || echo "Going on: $kept pieces were measured before the interruption and are kept."

status=0 last_text='' expected_left=0 expected_done=0
for milliseconds in "${share[@]}"; do expected_left=$((expected_left + milliseconds)); done
SECONDS=0
for number in "${!piece_of[@]}"; do
  index=${piece_of[$number]}
  estimate=$((expected_left / 1000))
  # Once there is something to go by, in proportion to what the pieces so far really took.
  ((SECONDS < 20)) || estimate=$((expected_left * SECONDS / expected_done))
  text=${names[$index]}
  [[ ${width_of[$number]} == - || ! -t 2 ]] || text+=", ${width_of[$number]} x ${width_of[$number]}"
  progress $((number + 1)) "${#piece_of[@]}" "$estimate" "$text"
  run_piece "$index" "${width_of[$number]}"
  expected_left=$((expected_left - share[number]))
  expected_done=$((expected_done + share[number]))
done
[[ ! -t 2 ]] || printf '\r%79s\r' '' >&2

for index in "${!names[@]}"; do
  compgen -G "$unfinished/${names[$index]}/*.csv" > /dev/null || fail "${names[$index]}: no measurements"
  join_pieces "$index"
done
if [[ $extent == all ]]; then
  # What the third column of the roofline predicts for the ladder's kernels, from the X-ray's counts.
  "$programs/roofline" --results "$unfinished/ladder.csv" --xray plots/xray/ladder.csv \
    --filter-width "$(awk -F, '$2 ~ /^[0-9]+$/ && !seen[$2]++ { print $2 }' plots/xray/ladder.csv | paste -sd,)" --csv "$unfinished/model.csv" > /dev/null || status=2
fi

# Results are of one device; those of another one get a folder of their own.
if [[ -f $results/ladder.csv ]]; then
  before=$(sed -n 's/^# device: //p' "$results/ladder.csv")
  if [[ $before != "$device" ]]; then
    mkdir -p "$results/${before//[^A-Za-z0-9]/-}"
    mv "$results"/*.csv "$results/${before//[^A-Za-z0-9]/-}/"
  fi
fi
mv "$unfinished"/*.csv "$results/"
rm -r "$unfinished"
exit $status
