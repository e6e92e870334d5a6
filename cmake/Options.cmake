# Compile options shared by all targets of the project: the interface target threadscape_options.

add_library(threadscape_options INTERFACE)
target_include_directories(threadscape_options INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}"
                                                         "${PROJECT_BINARY_DIR}/generated")

# Every operation rounds once on every backend, because results are compared bit by bit. Code that needs a fused
# multiply-add calls std::fma or __fmaf_rn.
target_compile_options(
  threadscape_options
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
            $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>
            $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>
            $<$<COMPILE_LANGUAGE:CXX>:-Wall>
            $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
            # Designated initialisers may leave out members, which then keep their defaults.
            $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>  # GCC 12 warns about std::string itself.
            # Clang warns where it does not vectorise a loop that is marked as one that it may vectorise.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pass-failed>
            # GCC looks for memory to free only when it has taken 1 GiB, and not again and again from 128 MiB on. That
            # takes a sixth off the time of most sources and half of that of the longest ones.
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)

if(THREADSCAPE_WERROR)
  target_compile_options(threadscape_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
  # These warnings depend on the optimiser of each GCC version and are often false, so they are shown but are no errors.
  foreach(warning IN ITEMS array-bounds maybe-uninitialized stringop-overflow stringop-overread)
    target_compile_options(threadscape_options
                           INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=${warning}>)
  endforeach()
endif()

# The instruction sets for which Highway compiles no code; each takes as long to compile as the others. On x86, SSE4, AVX2
# and AVX-512 are left, and what every processor has. Measured on a Xeon of the fourth generation, with one thread and the
# usual parameters of all algorithms: AVX2 takes 1.54 times as little time as SSE4 in the geometric mean, and AVX-512 1.25
# times as little as AVX2. SSE4 takes 1.1 times as little as SSSE3, and processors that have SSSE3 alone are from before
# 2010. No algorithm needs the instructions of the kinds of AVX-512 beyond the first one. Builds with sanitizers make SIMD
# code several times as long: they compile the lowest target and AVX2, or the lowest one alone for ThreadSanitizer, to which
# the width of vectors makes no difference. Vectors of SVE have no size at compile time, so that they cannot be members of
# structures, which the engines make of them: NEON is used on these processors.
set(THREADSCAPE_UNUSED_SIMD HWY_SSSE3 HWY_AVX3_DL HWY_AVX3_ZEN4 HWY_AVX3_SPR HWY_SVE HWY_SVE2 HWY_SVE_256 HWY_SVE2_128)
if(THREADSCAPE_SANITIZE)
  list(APPEND THREADSCAPE_UNUSED_SIMD HWY_SSE4 HWY_AVX3)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  # Highway compiles NEON code for processors with the instructions for cryptography. GCC compiles functions that it makes
  # itself, such as constructors of structures that hold vectors, for the processor of this option, and refuses those
  # that call Highway's constructors if that is a lesser one. It uses these instructions nowhere by itself.
  target_compile_options(threadscape_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-march=armv8-a+crypto>)
  # Sums and products of lanes may overflow and wrap around, as the instructions do. GCC's header of NEON has signed
  # additions and multiplications in their place, whose overflow is undefined otherwise; that of x86 has unsigned ones.
  target_compile_options(threadscape_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fwrapv>)
endif()

if(THREADSCAPE_SANITIZE)
  target_compile_options(threadscape_options
                         INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${THREADSCAPE_SANITIZE}>
                                   $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  target_link_options(threadscape_options INTERFACE -fsanitize=${THREADSCAPE_SANITIZE})
  if(THREADSCAPE_SANITIZE MATCHES "undefined")
    # AddressSanitizer reports the accesses that these checks would report, and they take a third of the time to compile.
    target_compile_options(
      threadscape_options
      INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>
                $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,object-size,nonnull-attribute,returns-nonnull-attribute>)
  endif()
endif()

# Protections against errors in memory, as distributions build their packages. They are for programs that people run:
# other build types are for finding such errors, which sanitizers do better. Kernels in CUDA are not affected.
if(THREADSCAPE_HARDEN AND NOT THREADSCAPE_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported()
  set(hardened $<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release>>)
  target_compile_options(threadscape_options INTERFACE $<${hardened}:-fstack-protector-strong>
                                                       $<${hardened}:-fstack-clash-protection>
                                                       $<${hardened}:-U_FORTIFY_SOURCE>
                                                       $<${hardened}:-D_FORTIFY_SOURCE=2>)
  target_link_options(threadscape_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# threadscape_quick_headers(<target>) makes builds with THREADSCAPE_QUICK_HEADERS parse the headers of the standard library
# once. Optimised builds do without: several sources at once gain nothing more from it, and a compiler cache finds their
# objects in every build folder, because no object depends on a precompiled file.
function(threadscape_quick_headers target)
  if(THREADSCAPE_QUICK_HEADERS)
    set(headers "")
    foreach(header IN ITEMS algorithm array atomic chrono cmath cstdint cstring filesystem functional map memory mutex
                            optional span sstream string string_view thread tuple utility variant vector)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()

# threadscape_unity(<target>) makes builds with THREADSCAPE_UNITY compile up to 24 sources of a folder at once, so that the
# headers that they share are parsed once, which takes a third of the time. In such builds the names in the anonymous
# namespaces of a folder's sources must differ. What describes the algorithms of a group for the registry (<name>.cpp,
# <name>_effects.cpp and the like) is compiled at once, so that a change of the registry or of the types of parameters
# leaves the sources that compute as they are. Sources with options of their own, and those that Highway compiles once
# per instruction set, are compiled one by one.
function(threadscape_unity target)
  if(NOT THREADSCAPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" includes_itself REGEX "hwy/foreach_target\\.h" LIMIT_COUNT 1)
    if(includes_itself)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE group)
    cmake_path(GET group FILENAME algorithm)
    cmake_path(GET source STEM name)
    if(group MATCHES "^compute/algorithms/[^/]+/[^/]+$" AND name MATCHES "^${algorithm}(_(diagram|effects|probe|traffic))?$")
      cmake_path(GET group PARENT_PATH group)
      string(APPEND group "_descriptions")
    endif()
    string(MAKE_C_IDENTIFIER "${group}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR batch "${count_${group}} / 24")
    math(EXPR count_${group} "${count_${group}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes the sources for headers, in which types that contain those of anonymous namespaces would be an error.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# threadscape_program(<target>) adds sources and options that executables need and libraries do not.
function(threadscape_program target)
  if(THREADSCAPE_SANITIZE)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/keep_libraries.cpp")
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

if(THREADSCAPE_PORTABLE)
  # The programs get an RPATH instead of a RUNPATH, because an RPATH is also used for the dependencies of libraries in
  # lib/.
  target_link_options(threadscape_options INTERFACE -Wl,--disable-new-dtags)
  set(CMAKE_BUILD_RPATH "$ORIGIN/lib")
endif()
