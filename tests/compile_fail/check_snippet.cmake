# Compiles SNIPPET with COMPILER and fails unless the outcome is EXPECT (OK or ERROR). An expected
# error must be on the line of the snippet marked "must not compile": a missing header or a slip
# elsewhere does not count as a refusal.
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I ${ROOT} ${SNIPPET}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(EXPECT STREQUAL OK)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SNIPPET} must compile, but:\n${output}")
  endif()
  return()
endif()

if(result EQUAL 0)
  message(FATAL_ERROR "${SNIPPET} compiles, but must not")
endif()
file(STRINGS ${SNIPPET} lines)
set(number 0)
set(marked 0)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(line MATCHES "// must not compile")
    set(marked ${number})
  endif()
endforeach()
get_filename_component(name ${SNIPPET} NAME)
string(REGEX MATCHALL "[^\n]*error:[^\n]*" errors "${output}")
foreach(error IN LISTS errors)
  if(NOT error MATCHES "${name}:${marked}:[0-9]+: error:")
    message(FATAL_ERROR "${SNIPPET} fails for another reason than its marked line:\n${output}")
  endif()
endforeach()
