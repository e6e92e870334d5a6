# A script that CTest runs with cmake -P. It fails if a file includes a header that the rules of its layer do not allow.
#   -DSOURCE_DIR=<tree>   Checks that tree.
#   -DSELF_CHECK=<dir>    Writes a small tree that violates every rule, and fails unless each violation is found.

cmake_minimum_required(VERSION 3.22)

# Patterns for headers outside of the tree. The rules below match them with the beginning of a header's name.
set(gl "glad/|GL/|EGL/|GLES")
set(ui "imgui|implot|GLFW/")
set(cuda "cuda|cub/|thrust/")
set(program "CLI/|spdlog/")
set(codecs "png\\.h|jpeglib|tiff|webp/|gif_lib|Imf|OpenEXR/|dcmtk/|charls/|openjpeg|libav|libsw|zlib|stb_")

# layer(<folder> INCLUDES <folders of the tree>... [NOT <patterns of other headers>...] [BUT <folder without NOT>]
#       [NOT_IN_HEADERS <patterns of other headers>...])
# A rule: of compute/, render/ and app/, files of the folder may include only the folders after INCLUDES. Headers do not
# include what stands after NOT_IN_HEADERS; the exception is ffmpeg.h, by which sources include FFmpeg's libraries.
macro(layer folder)
  cmake_parse_arguments(L "" "BUT" "INCLUDES;NOT;NOT_IN_HEADERS" ${ARGN})
  check_layer("${folder}" "${L_INCLUDES}" "${L_NOT}" "${L_BUT}" "${L_NOT_IN_HEADERS}")
endmacro()

function(check_layers)
  layer(compute/kernel INCLUDES compute/kernel NOT ${gl} ${ui} ${program} ${cuda})
  layer(compute/core INCLUDES compute/core compute/kernel NOT ${gl} ${ui} ${program} ${cuda} ${codecs})
  layer(compute/gpu INCLUDES compute/core compute/kernel compute/gpu compute/warp NOT ${gl} ${ui} ${program} ${codecs})
  layer(compute/io INCLUDES compute/core compute/kernel compute/io NOT ${gl} ${ui} ${program} ${cuda}
        NOT_IN_HEADERS ${codecs} nlohmann/)
  layer(compute/warp INCLUDES compute/core compute/kernel compute/warp NOT ${gl} ${ui} ${program} ${cuda} ${codecs})
  layer(compute/registry INCLUDES compute/core compute/kernel compute/registry NOT ${gl} ${ui} ${program} ${cuda} ${codecs})
  layer(compute/sketch INCLUDES compute/core compute/kernel compute/warp compute/registry compute/sketch
        NOT ${gl} ${ui} ${program} ${cuda} ${codecs})
  layer(compute/run INCLUDES compute/core compute/kernel compute/gpu compute/warp compute/registry compute/run
        NOT ${gl} ${ui} ${program} ${codecs})
  layer(compute/engines INCLUDES compute/core compute/kernel compute/gpu compute/engines NOT ${gl} ${ui} ${program} ${codecs})
  layer(compute/algorithms INCLUDES compute/core compute/kernel compute/gpu compute/warp compute/registry compute/engines
        compute/algorithms NOT ${gl} ${ui} ${program} ${codecs})

  layer(render INCLUDES compute render NOT ${ui} ${program} ${cuda} BUT render/interop)
  layer(render/interop INCLUDES compute render NOT ${ui} ${program})

  layer(app INCLUDES compute render app NOT ${cuda})
  layer(app/session INCLUDES compute render app/session NOT ${ui})
  layer(app/report INCLUDES compute render app/report NOT ${ui})
  layer(app/analysis INCLUDES compute app/analysis app/report NOT ${gl} ${ui} ${program})
  layer(app/platform INCLUDES compute render app/platform)
  layer(app/live INCLUDES compute render app/live app/session NOT ${ui})
  layer(app/ui INCLUDES compute render app/ui app/platform)
  layer(app/scenes INCLUDES compute render app/ui app/scenes app/live app/session)
  layer(app/panels INCLUDES compute render app/panels app/shell app/ui app/scenes app/analysis app/lesson app/measure
        app/live app/session app/platform)
  layer(app/shell INCLUDES compute render app/shell app/panels app/ui app/scenes app/lesson app/live app/session
        app/platform)
  layer(app/measure INCLUDES compute render app/measure app/analysis app/report app/ui app/platform
        NOT ${gl} ${ui} ${program} BUT app/measure/plot)
  layer(app/bench INCLUDES compute render app/bench app/measure app/analysis app/report app/session app/ui app/platform)
  layer(app/document INCLUDES compute app/document app/measure app/analysis app/report app/session
        NOT ${gl} ${ui} ${program})
  layer(app/lesson INCLUDES compute app/lesson app/document app/session app/report app/measure NOT ${gl} ${ui} ${program})
  layer(app/lab INCLUDES compute render app/lab app/analysis app/bench app/document app/measure app/report app/ui
        app/panels app/shell app/live app/session)
  layer(app/cli INCLUDES compute render app NOT ${ui})
  layer(app/python INCLUDES compute/core compute/kernel compute/gpu compute/registry compute/run app/python
        NOT ${gl} ${ui} ${program} ${cuda} ${codecs})

  # A folder without a rule is an error, because it could include anything.
  file(GLOB folders LIST_DIRECTORIES true RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/compute/*" "${SOURCE_DIR}/app/*")
  foreach(folder IN LISTS folders)
    if(IS_DIRECTORY "${SOURCE_DIR}/${folder}" AND NOT folder IN_LIST checked)
      list(APPEND failures "${folder}: has no rule in cmake/CheckLayers.cmake")
    endif()
  endforeach()
  set(failures "${failures}" PARENT_SCOPE)
endfunction()

function(check_layer folder includes not but not_in_headers)
  list(JOIN not "|" not)
  list(JOIN not_in_headers "|" not_in_headers)
  list(JOIN includes "|" allowed)
  file(GLOB_RECURSE files RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/${folder}/*.h" "${SOURCE_DIR}/${folder}/*.cpp"
       "${SOURCE_DIR}/${folder}/*.cu" "${SOURCE_DIR}/${folder}/*.cuh")
  foreach(file IN LISTS files)
    file(STRINGS "${SOURCE_DIR}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]*).*" "\\1" header "${line}")
      if(header MATCHES "^(compute|render|app|tests)/" AND NOT header MATCHES "^(${allowed})/")
        list(APPEND failures "${file}: ${header}")
      elseif(not AND header MATCHES "^(${not})" AND NOT (but AND file MATCHES "^${but}/"))
        list(APPEND failures "${file}: ${header}")
      elseif(not_in_headers AND file MATCHES "\\.h$" AND NOT file MATCHES "/ffmpeg\\.h$"
             AND header MATCHES "^(${not_in_headers})")
        list(APPEND failures "${file}: ${header}")
      endif()
    endforeach()
  endforeach()
  list(APPEND checked "${folder}")
  set(checked "${checked}" PARENT_SCOPE)
  set(failures "${failures}" PARENT_SCOPE)
endfunction()

# Cases of the self-check that must be found: a file, and a header that it must not include.
set(violations
    "compute/core/a.h: compute/registry/algorithm.h"
    "compute/core/a.h: compute/gpu/device.h"
    "compute/core/a.h: compute/io/pictures/image_file.h"
    "compute/core/a.cpp: compute/run/runner.h"
    "compute/core/a.cpp: cuda_runtime_api.h"
    "compute/core/a.cpp: glad/gl.h"
    "compute/gpu/a.cuh: compute/registry/algorithm.h"
    "compute/gpu/a.cu: compute/io/pictures/image_file.h"
    "compute/io/a.h: compute/gpu/device.h"
    "compute/io/a.cpp: compute/registry/diagram.h"
    "compute/io/a.h: png.h"
    "compute/io/video/a.h: libavcodec/avcodec.h"
    "compute/io/numbers/a.h: nlohmann/json.hpp"
    "compute/core/a.cpp: zlib.h"
    "compute/algorithms/a/b/b.cpp: png.h"
    "compute/io/a.cpp: compute/run/runner.h"
    "compute/sketch/a.cpp: compute/run/runner.h"
    "compute/registry/facets/a.h: compute/io/pictures/image_file.h"
    "compute/registry/a.h: compute/gpu/device.h"
    "compute/registry/a.cpp: compute/run/runner.h"
    "compute/run/a.cpp: compute/engines/planes/planes.h"
    "compute/run/a.cpp: compute/algorithms/filters/noise/noise.h"
    "compute/run/a.cpp: compute/io/input_file.h"
    "compute/algorithms/a/b/b.cpp: compute/io/pictures/image_file.h"
    "compute/engines/a/a.h: compute/registry/algorithm.h"
    "compute/engines/a/a.cpp: compute/run/runner.h"
    "compute/engines/a/cuda/a.cu: compute/algorithms/filters/noise/noise.h"
    "compute/algorithms/a/b/b.cpp: compute/run/runner.h"
    "compute/algorithms/a/b/b.cpp: render/gl/texture.h"
    "compute/algorithms/a/b/b.cpp: app/session/workspace.h"
    "compute/algorithms/a/b/b.cpp: imgui.h"
    "compute/algorithms/a/b/b.cpp: CLI/CLI.hpp"
    "render/gl/a.cpp: app/session/workspace.h"
    "render/gl/a.cpp: cuda_runtime_api.h"
    "render/gl/a.cpp: imgui.h"
    "render/interop/a.cpp: imgui.h"
    "app/a.cpp: cuda_gl_interop.h"
    "app/session/a.h: app/live/live_view.h"
    "app/session/a.h: app/shell/window.h"
    "app/session/a.cpp: imgui.h"
    "app/report/a.cpp: app/session/workspace.h"
    "app/analysis/a.cpp: app/bench/bench.h"
    "app/analysis/a.h: imgui.h"
    "app/platform/a.cpp: app/shell/window.h"
    "app/live/a.h: app/shell/window.h"
    "app/live/a.cpp: app/scenes/scene.h"
    "app/live/a.cpp: app/cli/run.h"
    "app/ui/a.h: app/shell/window.h"
    "app/ui/a.h: app/session/workspace.h"
    "app/ui/a.cpp: app/scenes/scene.h"
    "app/scenes/a.h: app/shell/window.h"
    "app/scenes/a/a.cpp: app/cli/run.h"
    "app/scenes/a/a.cpp: app/platform/platform.h"
    "app/shell/a.cpp: app/cli/run.h"
    "app/shell/a.cpp: app/bench/bench.h"
    "app/bench/a.h: app/cli/run.h"
    "app/bench/a.h: app/live/live_view.h"
    "app/bench/a.cpp: app/scenes/scene.h"
    "app/bench/a.cpp: app/shell/window.h"
    "app/lab/a.cpp: app/cli/cli.h"
    "app/lesson/a.cpp: app/shell/window.h"
    "app/lesson/a.cpp: app/bench/bench.h"
    "app/lesson/a.h: imgui.h"
    "app/measure/a.cpp: app/bench/bench.h"
    "app/measure/a.cpp: app/lab/lab_plan.h"
    "app/measure/a.cpp: imgui.h"
    "app/measure/plot/a.cpp: app/shell/window.h"
    "app/shell/a.cpp: app/lab/lab_tab.h"
    "app/panels/a/a.cpp: app/lab/lab_tab.h"
    "app/panels/a/a.cpp: app/bench/bench.h"
    "app/cli/a.cpp: imgui.h"
    "app/cli/a.cpp: cuda_runtime_api.h"
    "app/python/a.cpp: app/bench/bench.h"
    "app/python/a.cpp: compute/io/input_file.h"
    "app/python/a.cpp: imgui.h"
    "app/other: has no rule in cmake/CheckLayers.cmake"
    "compute/other: has no rule in cmake/CheckLayers.cmake")
# Cases of the self-check that must not be found: a file, and a header that it may include.
set(permitted
    "compute/core/b.h: compute/core/data.h"
    "compute/gpu/b.cu: cuda_runtime_api.h"
    "compute/io/b.cpp: png.h"
    "compute/io/b/ffmpeg.h: libavcodec/avcodec.h"
    "compute/run/b.cpp: compute/gpu/device.h"
    "compute/engines/b/b.cu: compute/gpu/store.cuh"
    "compute/algorithms/c/d/d.cpp: compute/registry/algorithm.h"
    "render/interop/b.cpp: cuda_gl_interop.h"
    "render/interop/b.cpp: compute/run/runner.h"
    "app/live/b.cpp: app/session/workspace.h"
    "app/ui/b.h: app/platform/platform.h"
    "app/scenes/b/b.cpp: imgui.h"
    "app/scenes/b/b.h: app/ui/theme.h"
    "app/panels/b/b.cpp: app/shell/desk.h"
    "app/panels/b/b.cpp: app/lesson/markdown.h"
    "app/shell/b.cpp: app/ui/theme.h"
    "app/shell/b.h: app/scenes/scene_set.h"
    "app/bench/b.cpp: app/ui/theme.h"
    "app/analysis/b.cpp: app/report/text.h"
    "app/bench/b.cpp: app/report/text.h"
    "app/bench/b.h: app/analysis/verdict.h"
    "app/bench/b.h: app/measure/report_file.h"
    "app/measure/plot/b.cpp: implot.h"
    "app/lab/b.cpp: app/measure/plot/chart_plot.h"
    "app/lab/b.cpp: app/panels/panel.h"
    "app/lab/b.h: app/bench/bench_plan.h"
    "app/lesson/b.cpp: app/session/sketch_file.h"
    "app/cli/b.cpp: app/bench/bench.h"
    "app/cli/b/b.cpp: app/shell/window.h"
    "app/cli/b/b.cpp: CLI/CLI.hpp"
    "app/python/b.cpp: compute/run/runner.h")

if(SELF_CHECK)
  set(SOURCE_DIR "${SELF_CHECK}")
  file(REMOVE_RECURSE "${SOURCE_DIR}")
  file(MAKE_DIRECTORY "${SOURCE_DIR}/compute/other" "${SOURCE_DIR}/app/other")
  foreach(line IN LISTS violations permitted)
    string(REGEX MATCH "^([^:]+): ([^ ]+)$" include "${line}")
    if(include)
      file(APPEND "${SOURCE_DIR}/${CMAKE_MATCH_1}" "#include \"${CMAKE_MATCH_2}\"\n")
    endif()
  endforeach()
endif()

set(failures "")
set(checked "")
check_layers()
list(SORT failures)
list(REMOVE_DUPLICATES failures)

if(SELF_CHECK)
  list(SORT violations)
  if(NOT failures STREQUAL violations)
    list(JOIN failures "\n  " failures)
    list(JOIN violations "\n  " violations)
    message(FATAL_ERROR "found:\n  ${failures}\nexpected:\n  ${violations}")
  endif()
elseif(failures)
  list(JOIN failures "\n  " failures)
  message(FATAL_ERROR "includes across the layers:\n  ${failures}")
endif()
