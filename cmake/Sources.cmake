# threadscape_glob(<out> <pattern>...): sources below the current folder, following the naming rules of the tree:
#   *_none.cpp  stands in for its neighbour in builds without CUDA, and only there
#   *.cu        only in builds with CUDA
# threadscape_glob_recurse() also looks into the folders below each pattern's folder.
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
    # Where both x.cpp and x_none.cpp exist, the build without CUDA compiles x_none.cpp.
    foreach(source IN LISTS sources)
      if(source MATCHES "_none\\.cpp$")
        string(REGEX REPLACE "_none\\.cpp$" ".cpp" with_cuda "${source}")
        list(REMOVE_ITEM sources "${with_cuda}")
      endif()
    endforeach()
  endif()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()

# threadscape_write(<file> <content>) writes the file unless it has this content, so that its users are not rebuilt.
function(threadscape_write file content)
  set(old "")
  if(EXISTS "${file}")
    file(READ "${file}" old)
  endif()
  if(NOT EXISTS "${file}" OR NOT old STREQUAL content)
    file(WRITE "${file}" "${content}")
  endif()
endfunction()
