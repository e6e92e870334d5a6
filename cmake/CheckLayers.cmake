# Run as a test (cmake -P): compute <- render <- app. Fails if a file includes what its layer must not know.

set(gl "glad/|GL/|EGL/|GLES")
set(ui "imgui|implot|GLFW/")
set(cuda "cuda|cub/|thrust/")

set(failures "")
# check(<pattern of files> <pattern of forbidden includes>): matched against what follows #include < or "
function(check files forbidden)
  file(GLOB_RECURSE found "${SOURCE_DIR}/${files}/*.h" "${SOURCE_DIR}/${files}/*.cpp" "${SOURCE_DIR}/${files}/*.cu"
       "${SOURCE_DIR}/${files}/*.cuh")
  foreach(file IN LISTS found)
    if(ARGN AND file MATCHES "${ARGN}")
      continue()
    endif()
    file(STRINGS "${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"](${forbidden})")
    foreach(line IN LISTS includes)
      string(APPEND failures "  ${file}: ${line}\n")
    endforeach()
  endforeach()
  set(failures "${failures}" PARENT_SCOPE)
endfunction()

check(compute "${gl}|${ui}|render/|app/|CLI/|spdlog/")
check(render "${ui}|app/|CLI/|spdlog/")
check(render "${cuda}" "/render/interop/")
check(app "${cuda}")

if(failures)
  message(FATAL_ERROR "includes across the layers:\n${failures}")
endif()
