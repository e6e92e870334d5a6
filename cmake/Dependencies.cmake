# Finds the third-party packages as imported or interface targets. scripts/setup installs them; nothing is downloaded
# here.

find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(glm REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy libhwy-contrib)
add_library(hwy::hwy ALIAS PkgConfig::hwy)

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
include(Assimp)
include(OpenCvPeer)
include(CpuPeers)
include(Animations)
include(ImageLibraries)
include(Dcmtk)
