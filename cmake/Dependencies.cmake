# Finds the third-party packages as imported or interface targets. scripts/setup installs them; nothing is downloaded
# here.

find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy libhwy-contrib)
add_library(hwy::hwy ALIAS PkgConfig::hwy)
find_file(HWY_TARGETS_HEADER hwy/detect_targets.h HINTS ${hwy_INCLUDE_DIRS} REQUIRED)
mark_as_advanced(HWY_TARGETS_HEADER)
set(unused_simd 0)
foreach(target IN LISTS THREADSCAPE_UNUSED_SIMD)
  file(STRINGS "${HWY_TARGETS_HEADER}" known REGEX "^#define ${target} " LIMIT_COUNT 1)
  if(known)  # Versions of Highway differ in their targets.
    string(APPEND unused_simd "|${target}")
  endif()
endforeach()
# Sources that need fewer targets define HWY_DISABLED_TARGETS anew.
target_compile_definitions(PkgConfig::hwy INTERFACE "THREADSCAPE_UNUSED_SIMD=(${unused_simd})"
                                                    HWY_DISABLED_TARGETS=THREADSCAPE_UNUSED_SIMD)
if(THREADSCAPE_SANITIZE MATCHES "thread")
  target_compile_definitions(PkgConfig::hwy INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()

include(Python)
if(THREADSCAPE_PYTHON STREQUAL "ONLY")
  return()
endif()

find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(glm REQUIRED)
find_package(CLI11 REQUIRED)
find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
mark_as_advanced(STB_INCLUDE_DIR)
add_library(stb INTERFACE)
target_include_directories(stb SYSTEM INTERFACE "${STB_INCLUDE_DIR}")

set(THREADSCAPE_PYTHON_DIR "${THREADSCAPE_DEPS_DIR}/python")
if(NOT EXISTS "${THREADSCAPE_PYTHON_DIR}/glad" OR NOT EXISTS "${THREADSCAPE_PYTHON_DIR}/imgui")
  message(FATAL_ERROR "Packages are missing in ${THREADSCAPE_PYTHON_DIR}: run scripts/setup first.")
endif()

include(Glad)
include(ImGui)
include(OpenCvPeer)
include(CpuPeers)
include(FileLibraries)
include(DesktopDialogs)
