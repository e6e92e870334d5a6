# threadscape_glob(<out> <pattern>...): sources below the current folder, following the naming rules of the tree:
#   *_none.cpp  stands in for its neighbour in builds without CUDA, and only there
#   *.cu        only in builds with CUDA, and so is every other file of a folder named cuda/
function(threadscape_glob out)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  if(TS_HAS_CUDA)
    list(FILTER sources EXCLUDE REGEX "_none\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "\\.cu$")
    # x.cpp gives way to x_none.cpp where both exist.
    foreach(source IN LISTS sources)
      if(source MATCHES "/cuda/[^/]+$" AND NOT source MATCHES "_none\\.cpp$")
        list(REMOVE_ITEM sources "${source}")
      endif()
      if(source MATCHES "_none\\.cpp$")
        string(REGEX REPLACE "_none\\.cpp$" ".cpp" with_cuda "${source}")
        list(REMOVE_ITEM sources "${with_cuda}")
      endif()
    endforeach()
  endif()
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# threadscape_write(<file> <content>): writes only what changed, so that nothing is rebuilt without need.
function(threadscape_write file content)
  set(old "")
  if(EXISTS "${file}")
    file(READ "${file}" old)
  endif()
  if(NOT EXISTS "${file}" OR NOT old STREQUAL content)
    file(WRITE "${file}" "${content}")
  endif()
endfunction()
