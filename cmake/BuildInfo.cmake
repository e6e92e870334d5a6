# Target threadscape_build_info: makes generated/build_info.cpp. Every build looks up the values, and the file is
# written again only if they have changed.

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}} -ffp-contract=off" build_info_flags)
if(THREADSCAPE_SANITIZE)
  string(APPEND build_info_flags " -fsanitize=${THREADSCAPE_SANITIZE}")
endif()
set(build_info_cuda "")
if(TS_HAS_CUDA)
  set(build_info_cuda "${CMAKE_CUDA_COMPILER_VERSION}")
endif()

add_custom_target(
  threadscape_build_info
  COMMAND "${CMAKE_COMMAND}"
          "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
          "-DOUTPUT=${PROJECT_BINARY_DIR}/generated/build_info.cpp"
          "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in"
          "-DVERSION=${PROJECT_VERSION}"
          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          "-DFLAGS=${build_info_flags}"
          "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
          "-DCUDA_VERSION=${build_info_cuda}"
          -P "${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake"
  BYPRODUCTS "${PROJECT_BINARY_DIR}/generated/build_info.cpp"
  VERBATIM)
