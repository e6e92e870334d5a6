# A script that the build runs with cmake -P. It asks git for the state of the tree and writes it into the source.

set(GIT_HASH "unknown")
set(GIT_DIRTY false)
execute_process(COMMAND git -C "${SOURCE_DIR}" rev-parse --short=12 HEAD
                RESULT_VARIABLE result OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(result EQUAL 0)
  set(GIT_HASH "${hash}")
  execute_process(COMMAND git -C "${SOURCE_DIR}" --no-optional-locks status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT changes STREQUAL "")
    set(GIT_DIRTY true)
  endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
