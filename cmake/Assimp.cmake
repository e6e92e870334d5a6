# Target assimp_reader: Assimp, which reads files of 3-D models (OBJ, PLY, STL, glTF). It is found by header and library,
# because the CMake package of Debian names files of other packages. Sets TS_HAS_ASSIMP to 0 or 1.

set(TS_HAS_ASSIMP 0)
find_path(ASSIMP_INCLUDE_DIR assimp/Importer.hpp)
find_library(ASSIMP_LIBRARY assimp)
mark_as_advanced(ASSIMP_INCLUDE_DIR ASSIMP_LIBRARY)
if(ASSIMP_INCLUDE_DIR AND ASSIMP_LIBRARY)
  set(TS_HAS_ASSIMP 1)
  add_library(assimp_reader INTERFACE)
  target_include_directories(assimp_reader SYSTEM INTERFACE "${ASSIMP_INCLUDE_DIR}")
  target_link_libraries(assimp_reader INTERFACE "${ASSIMP_LIBRARY}")
  message(STATUS "Files of 3-D models (OBJ, PLY, STL, glTF): on")
else()
  message(STATUS "Files of 3-D models (OBJ, PLY, STL, glTF): off, built-in meshes only (Assimp was not found; "
                 "scripts/setup installs it)")
endif()
