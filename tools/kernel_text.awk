# The kernels of an OpenCL file.
#
#   awk -f tools/kernel_text.awk FILE                        the names of its kernels, in its order
#   awk -f tools/kernel_text.awk -v kernel=NAME FILE         kernel NAME and the helpers and macros directly above it
#   awk -f tools/kernel_text.awk -v kernel=NAME -v all=1 FILE   the same with all helpers and macros above it in the file
#
# A kernel ends with the closing brace in the first column. The comments that tell its story are left out: paragraphs of
# comments before any code, and comments in the paragraph that the kernel itself begins. What stands between #if and
# #endif together with a kernel is that kernel's alone. A kernel NAME_... that stands above NAME is one of its helpers: it
# is launched before it.
/^(__)?kernel([^A-Za-z0-9_]|$)/ && !in_kernel {
  in_kernel = 1
  own = without_comments(paragraph)
  # An attribute is the kernel's own, a macro is there for the kernels below too.
  if (own ~ /(^|\n)#/) helpers = helpers own
  else text = own
  paragraph = ""
}

in_kernel {
  text = text $0 "\n"
  if (name == "" && match($0, /void +[A-Za-z0-9_]+ *\(/)) {
    name = substr($0, RSTART + 5, RLENGTH - 6)
    gsub(/ /, "", name)
  }
  if (/^}/) {
    if (kernel == "") print name
    if (name == kernel) printf "%s", (all ? earlier : "") helpers text (condition ? "\n#endif\n" : "")
    kernel_in_condition = condition
    earlier = earlier helpers
    helpers = kernel != "" && index(name, kernel "_") == 1 ? helpers text : ""
    in_kernel = 0
    text = name = ""
  }
  next
}

/^#if/ && !condition { condition = 1; before_condition = earlier }
/^#endif/ {
  condition = 0
  if (kernel_in_condition) {
    kernel_in_condition = 0
    earlier = before_condition
    helpers = paragraph = ""
    next
  }
}

# A paragraph of comments before any code is left out; the others belong to what follows them.
/^$/ {
  if (helpers != "" || without_comments(paragraph) != "") helpers = helpers paragraph "\n"
  paragraph = ""
  next
}
{ paragraph = paragraph $0 "\n" }

function without_comments(lines,   i, count, line, kept) {
  count = split(lines, line, "\n")
  for (i = 1; i < count; ++i)
    if (line[i] !~ /^\/\//) kept = kept line[i] "\n"
  return kept
}
