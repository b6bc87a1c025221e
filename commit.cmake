# Writes OUTPUT, a header with the commit of SOURCE_DIR, and touches it only if the commit has changed.
# Whoever owns the clone; without git the environment's TUTORIAL_COMMIT counts.
set(commit "$ENV{TUTORIAL_COMMIT}")
if(NOT commit)
  execute_process(COMMAND git -c safe.directory=* -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define TUTORIAL_COMMIT \"${commit}\"\n")
