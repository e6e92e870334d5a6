# Compile options that every target of ours shares: the interface target threadscape_options.

add_library(threadscape_options INTERFACE)
target_include_directories(threadscape_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}"
                                                         "${PROJECT_BINARY_DIR}/generated")

# One rounding per operation on every backend: results are compared bit by bit. A kernel that wants a fused
# multiply-add writes it out (std::fma, __fmaf_rn).
target_compile_options(
  threadscape_options
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
            $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>
            $<$<COMPILE_LANGUAGE:CXX>:-Wall>
            $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
            # Designated initialisers leave out what keeps its default.
            $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)  # GCC 12 warns about its own std::string

if(THREADSCAPE_WERROR)
  target_compile_options(threadscape_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  # What these say depends on the optimiser of each GCC version, and is often wrong: shown, but no error.
  foreach(warning IN ITEMS array-bounds maybe-uninitialized stringop-overflow stringop-overread)
    target_compile_options(threadscape_options
                           INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=${warning}>)
  endforeach()
endif()

# Where compile time matters more than speed: of Highway's targets on x86, SSE2 and AVX2 alone.
set(THREADSCAPE_FEW_SIMD_TARGETS
    "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")

if(THREADSCAPE_SANITIZE)
  target_compile_options(threadscape_options
                         INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${THREADSCAPE_SANITIZE}>
                                   $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  target_link_options(threadscape_options INTERFACE -fsanitize=${THREADSCAPE_SANITIZE})
  if(THREADSCAPE_SANITIZE MATCHES "undefined")
    target_compile_options(threadscape_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
  endif()
endif()

# threadscape_program(<target>): what only executables need.
function(threadscape_program target)
  if(THREADSCAPE_SANITIZE)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/keep_libraries.cpp")
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

if(THREADSCAPE_PORTABLE)
  # RPATH rather than RUNPATH: it also serves what the carried libraries themselves need.
  target_link_options(threadscape_options INTERFACE -Wl,--disable-new-dtags)
  set(CMAKE_BUILD_RPATH "$ORIGIN/lib")
endif()
