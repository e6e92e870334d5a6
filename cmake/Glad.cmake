# Target glad: a loader for OpenGL 4.5 core and EGL 1.5. The Python package glad2 generates it during configuration from
# the specifications that the package contains (--reproducible: no network). The loader opens libEGL and libGL with
# dlopen, so neither is needed at link time.

set(glad_extensions
    GL_EXT_texture_filter_anisotropic
    EGL_EXT_device_base
    EGL_EXT_device_enumeration
    EGL_EXT_device_query
    EGL_EXT_platform_base
    EGL_EXT_platform_device
    EGL_KHR_create_context
    EGL_KHR_no_config_context
    EGL_KHR_surfaceless_context
    EGL_MESA_platform_surfaceless
    EGL_NV_device_cuda)
list(JOIN glad_extensions "," glad_extensions)

set(glad_dir "${CMAKE_BINARY_DIR}/generated/glad")
set(glad_arguments --quiet --reproducible --api gl:core=4.5,egl=1.5 --extensions ${glad_extensions}
                   --out-path ${glad_dir} c --loader)

# The loader is generated again only if the arguments or the version of glad2 have changed; the file `stamp` holds both.
file(SHA256 "${PROJECT_SOURCE_DIR}/scripts/requirements.txt" glad_requirements)
set(glad_stamp "${glad_arguments} ${glad_requirements}")
set(glad_old_stamp "")
if(EXISTS "${glad_dir}/stamp")
  file(READ "${glad_dir}/stamp" glad_old_stamp)
endif()
if(NOT glad_stamp STREQUAL glad_old_stamp)
  message(STATUS "Generating the OpenGL and EGL loader with glad2")
  file(REMOVE_RECURSE "${glad_dir}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${THREADSCAPE_PYTHON_DIR}" PYTHONDONTWRITEBYTECODE=1
                          "${Python3_EXECUTABLE}" -m glad ${glad_arguments}
                  RESULT_VARIABLE glad_result
                  ERROR_VARIABLE glad_error)
  if(NOT glad_result EQUAL 0)
    message(FATAL_ERROR "glad2 failed (${glad_result}): ${glad_error}")
  endif()
  # cuda_gl_interop.h includes GL/gl.h. This file gives it the declarations of glad, so that the system's OpenGL headers
  # are not needed.
  file(WRITE "${glad_dir}/include/GL/gl.h" "#include <glad/gl.h>\n")
  file(WRITE "${glad_dir}/stamp" "${glad_stamp}")
endif()

add_library(glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/src/egl.c")
target_include_directories(glad SYSTEM PUBLIC "${glad_dir}/include")
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
