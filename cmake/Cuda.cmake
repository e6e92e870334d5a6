# Decides whether the CUDA backend is built. Sets TS_HAS_CUDA to 0 or 1.
#
# The toolkit is often installed without being on PATH, so its usual folders are searched too. Code is compiled for the
# GPU of this machine. If there is none, it is compiled to PTX for compute capability 7.5, which runs on all newer
# devices, and to machine code for 9.0. With THREADSCAPE_CUDA_CHECK and no GPU, the code only has to compile, so it is
# compiled to PTX for 9.0 alone, which takes a third of the time, and is hardly optimised, which makes the longest sources
# three times as fast.

set(TS_HAS_CUDA 0)

if(NOT THREADSCAPE_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(THREADSCAPE_NVCC nvcc
                 HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda
                 PATH_SUFFIXES bin)
    mark_as_advanced(THREADSCAPE_NVCC)
    if(THREADSCAPE_NVCC)
      set(ENV{CUDACXX} "${THREADSCAPE_NVCC}")  # check_language() would not test CMAKE_CUDA_COMPILER.
    endif()
  endif()

  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE smi_result OUTPUT_VARIABLE smi_gpus ERROR_QUIET TIMEOUT 10)
    if(smi_result EQUAL 0 AND smi_gpus MATCHES "GPU 0")
      set(CMAKE_CUDA_ARCHITECTURES native)
    elseif(THREADSCAPE_CUDA_CHECK)
      set(CMAKE_CUDA_ARCHITECTURES "90-virtual")
      set(threadscape_cuda_check_options "SHELL:-Xcicc -O1")
    else()
      set(CMAKE_CUDA_ARCHITECTURES "75-virtual;90-real")
    endif()
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cudart_static)
      set(TS_HAS_CUDA 1)
    endif()
  endif()

  if(TS_HAS_CUDA)
    message(STATUS "CUDA backend: on (nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES})")
  elseif(THREADSCAPE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "THREADSCAPE_CUDA=ON, but no working nvcc with the static CUDA runtime was found. "
                        "Set CMAKE_CUDA_COMPILER, or use THREADSCAPE_CUDA=AUTO.")
  else()
    message(STATUS "CUDA backend: off (no working nvcc found); serial and openmp are built")
  endif()
else()
  message(STATUS "CUDA backend: off (THREADSCAPE_CUDA=OFF)")
endif()

if(TS_HAS_CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know yet that nvcc 12 knows C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  if(threadscape_cuda_check_options)
    add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${threadscape_cuda_check_options}>")
  endif()
endif()
