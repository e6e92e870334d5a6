# Target opencv_peer: OpenCV's modules core and imgproc, which only `threadscape bench` uses, to compare with. They are
# found by header and library, because OpenCV's own CMake package requires every module that it was built with. The
# target exists only if OpenCV was found.

if(NOT THREADSCAPE_PEERS STREQUAL "OFF")
  find_path(OPENCV_PEER_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
  find_library(OPENCV_PEER_CORE opencv_core)
  find_library(OPENCV_PEER_IMGPROC opencv_imgproc)
  mark_as_advanced(OPENCV_PEER_INCLUDE_DIR OPENCV_PEER_CORE OPENCV_PEER_IMGPROC)
  if(OPENCV_PEER_INCLUDE_DIR AND OPENCV_PEER_CORE AND OPENCV_PEER_IMGPROC)
    add_library(opencv_peer INTERFACE)
    target_include_directories(opencv_peer SYSTEM INTERFACE "${OPENCV_PEER_INCLUDE_DIR}")
    target_link_libraries(opencv_peer INTERFACE "${OPENCV_PEER_IMGPROC}" "${OPENCV_PEER_CORE}")
    message(STATUS "OpenCV as a peer in bench: on")
  elseif(THREADSCAPE_PEERS STREQUAL "ON")
    message(FATAL_ERROR "THREADSCAPE_PEERS=ON, but OpenCV was not found: run scripts/setup --peers.")
  else()
    message(STATUS "OpenCV as a peer in bench: off (not found; scripts/setup --peers installs it)")
  endif()
endif()
