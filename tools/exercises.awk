# The exercises of the files EXERCISES.md: "### N. Title", each with lines "Needs: ... Teaches: ...", the commands
# that the reader types (indented), one or more lines <!-- expect: STATUS REGEX -->, and a folded Tip and Answer.
#
#   awk -f tools/exercises.awk EXERCISES.md...              a Markdown table of them
#   awk -v folder=DIR -f tools/exercises.awk EXERCISES.md   each into DIR/N/: title, commands, edits, status, patterns (one
#                                                     a line); what is missing is printed, and the exit status is then 1
#
# `edits` are the commands at the start of the answer, which do what the reader does in $EDITOR.
BEGIN { if (folder == "") print "| exercise | needs | teaches |\n|---|---|---|" }

FNR == 1 { finish(); exercises = FILENAME ~ /EXERCISES[.]md$/ }
/^ *```/ { code = !code }
/^## / && !code { finish(); exercises = $0 == "## Exercises"; next }
!exercises { next }

/^### / && !code {
  finish()
  title = substr($0, 5)
  if (title !~ /^[0-9]+\. /) complain("the heading is not '### N. Title'")
  part = "text"
  file = FILENAME
  next
}
title == "" { next }

part == "text" && /^Needs: / { in_needs = 1 }
in_needs && /^$/ { in_needs = 0 }
in_needs { needs = needs (needs == "" ? "" : " ") $0; next }
/^<!-- expect: / {
  gsub(/^<!-- expect: *| *-->$/, "")
  if (!/^[0-9]+ ./ || patterns != "" && $1 != status) complain("its lines <!-- expect: STATUS REGEX --> do not have one status and a pattern each")
  status = $1
  sub(/^[0-9]+ */, "")
  patterns = patterns $0 "\n"
  part = "expected"
  next
}
/<summary>Tip<\/summary>/ { part = "tip" }
/<summary>Answer<\/summary>/ { part = "answer"; edits_end = 0; next }
/^<\/details>/ { part = "expected" }
part == "text" && /^    / { commands = commands substr($0, 5) "\n" }
part == "tip" && NF && !/^</ { has_tip = 1 }
part == "answer" && NF {
  has_answer = 1
  if (!/^    /) edits_end = 1
}
part == "answer" && !edits_end { edits = edits substr($0, 5) "\n" }

END { finish(); exit broken }

function finish(   teaches, number, target) {
  if (title == "") return
  number = title
  sub(/\..*/, "", number)
  teaches = needs
  if (!sub(/^.*Teaches: */, "", teaches)) complain("no line 'Needs: ... Teaches: ...'")
  sub(/ *Teaches:.*/, "", needs)
  sub(/^Needs: */, "", needs)
  sub(/\.$/, "", needs)
  sub(/\.$/, "", teaches)
  if (folder == "") {
    # What one without the device does instead, the exercise says.
    sub(/ \(.*/, "", needs)
    printf "| [%s](%s#%s) | %s | %s |\n", place(file) title, file, anchor(title), plain(needs), plain(teaches)
  } else {
    if (commands == "") complain("no command")
    if (!has_tip) complain("no tip")
    if (!has_answer) complain("no answer")
    if (patterns == "") complain("no <!-- expect: STATUS REGEX -->")
    if (commands ~ /\$EDITOR/ && edits !~ /[^ \n]/) complain("the answer does not begin with the edit as commands")
    target = folder "/" number
    system("mkdir -p '" target "'")
    write(target "/title", title)
    write(target "/commands", commands)
    write(target "/edits", edits)
    write(target "/status", status)
    write(target "/patterns", patterns)
  }
  title = needs = commands = edits = patterns = part = ""
  has_tip = has_answer = in_needs = 0
}

# Without links: a label of one file means nothing in another.
function plain(text) {
  gsub(/\]\([^)]*\)|\]\[[^]]*\]|[][]/, "", text)
  return text
}

function write(path, text) {
  printf "%s", text > path
  close(path)
}

function complain(what) {
  print file ": " title ": " what
  broken = 1
}

# "step 1, " or "median, ".
function place(path) {
  sub(/\/.*/, "", path)
  if (match(path, /^step[0-9]+/)) path = "step " substr(path, 5, RLENGTH - 4)
  gsub(/_/, " ", path)
  return path ", "
}

# As GitHub makes it of a heading.
function anchor(heading) {
  heading = tolower(heading)
  gsub(/[^a-z0-9_ -]/, "", heading)
  gsub(/ /, "-", heading)
  return heading
}
