# Optional libraries that only `threadscape bench --peers` uses, to compare with: TBB, which runs the parallel algorithms
# of the C++ standard library (target std_peer), and liblqr, which carves seams (target lqr_peer). A target exists only
# if its library was found.

if(NOT THREADSCAPE_PEERS STREQUAL "OFF")
  find_package(TBB QUIET)
  if(TARGET TBB::tbb)
    add_library(std_peer INTERFACE)
    target_link_libraries(std_peer INTERFACE TBB::tbb)
    message(STATUS "Parallel algorithms of the standard library as peers in bench: on")
  else()
    message(STATUS "Parallel algorithms of the standard library as peers in bench: off (TBB was not found; "
                   "scripts/setup --peers installs it)")
  endif()

  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(LQR QUIET IMPORTED_TARGET lqr-1)
  endif()
  if(TARGET PkgConfig::LQR)
    add_library(lqr_peer INTERFACE)
    target_link_libraries(lqr_peer INTERFACE PkgConfig::LQR)
    message(STATUS "liblqr as a peer in bench: on")
  else()
    message(STATUS "liblqr as a peer in bench: off (not found; scripts/setup --peers installs it)")
  endif()
endif()
