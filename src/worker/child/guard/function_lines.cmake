# functions.tsv -> function_lines.inc in the build folder, one initialiser a line, whenever it changes.
set(tsv ${CMAKE_CURRENT_SOURCE_DIR}/guard/functions.tsv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tsv})
file(READ ${tsv} lines)
string(REGEX REPLACE "([^\t\n]+)\t([^\t\n]+)\tallow\t([^\t\n]+)\t([^\n]*)\n"
       "{R\"_(\\2)_\", \"\\1\", true, k_\\3, \"\\4\"},\n" lines "${lines}")
string(REGEX REPLACE "([^\t\n]+)\t([^\t\n]+)\tdeny\t([^\t\n]+)\t([^\n]*)\n"
       "{R\"_(\\2)_\", \"\\1\", false, k_\\3, \"\\4\"},\n" lines "${lines}")
string(REPLACE "k_all" "false" lines "${lines}")
string(REPLACE "k_analyst" "true" lines "${lines}")
set(folder ${CMAKE_BINARY_DIR}/generated)
file(CONFIGURE OUTPUT ${folder}/worker/child/guard/function_lines.inc CONTENT "${lines}" @ONLY)
target_include_directories(ducat_worker_child PRIVATE ${folder})
