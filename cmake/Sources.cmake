# threadscape_glob(<out> <pattern>...) finds the sources in the current folder that this build compiles. The name of a
# file decides:
#   x_none.cpp  is compiled instead of x.cpp in builds without CUDA, and only there.
#   *.cu        is compiled only in builds with CUDA.
# threadscape_glob_recurse() also searches the folders below each pattern's folder.
macro(threadscape_glob out)
  file(GLOB ${out} CONFIGURE_DEPENDS ${ARGN})
  threadscape_filter_sources(${out})
endmacro()
macro(threadscape_glob_recurse out)
  file(GLOB_RECURSE ${out} CONFIGURE_DEPENDS ${ARGN})
  threadscape_filter_sources(${out})
endmacro()

# threadscape_filter_sources(<list>) removes the sources that this build does not compile from the list.
function(threadscape_filter_sources list)
  set(sources "${${list}}")
  if(TS_HAS_CUDA)
    list(FILTER sources EXCLUDE REGEX "_none\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "\\.cu$")
    # If both x.cpp and x_none.cpp exist, the build without CUDA compiles x_none.cpp.
    foreach(source IN LISTS sources)
      if(source MATCHES "_none\\.cpp$")
        string(REGEX REPLACE "_none\\.cpp$" ".cpp" with_cuda "${source}")
        list(REMOVE_ITEM sources "${with_cuda}")
      endif()
    endforeach()
  endif()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()

# threadscape_write(<file> <content>) writes the file unless it has this content already, so that files that depend on
# it are not rebuilt.
function(threadscape_write file content)
  set(old "")
  if(EXISTS "${file}")
    file(READ "${file}" old)
  endif()
  if(NOT EXISTS "${file}" OR NOT old STREQUAL content)
    file(WRITE "${file}" "${content}")
  endif()
endfunction()
