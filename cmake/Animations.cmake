# Libraries for animations, which `threadscape render --frames` writes. Each is optional. Sets TS_HAS_GIF and
# TS_HAS_WEBPMUX to 0 or 1.

set(TS_HAS_GIF 0)
find_package(GIF)
if(GIF_FOUND)
  set(TS_HAS_GIF 1)
else()
  message(STATUS "giflib: not found (package libgif-dev), so animations are not written as .gif")
endif()

set(TS_HAS_WEBPMUX 0)
pkg_check_modules(webpmux IMPORTED_TARGET libwebpmux libwebp)
if(webpmux_FOUND)
  set(TS_HAS_WEBPMUX 1)
else()
  message(STATUS "libwebpmux: not found (package libwebp-dev), so animations are not written as .webp")
endif()

# threadscape_link_animations(<target>) removes the sources without a library from the target, and links the others.
function(threadscape_link_animations target)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE io/animation.cpp APPEND PROPERTY COMPILE_DEFINITIONS TS_HAS_GIF=${TS_HAS_GIF}
                                                       TS_HAS_WEBPMUX=${TS_HAS_WEBPMUX})
  if(TS_HAS_GIF)
    target_link_libraries(${target} PRIVATE GIF::GIF)
  else()
    list(FILTER sources EXCLUDE REGEX "/gif_animation\\.cpp$")
  endif()
  if(TS_HAS_WEBPMUX)
    target_link_libraries(${target} PRIVATE PkgConfig::webpmux)
  else()
    list(FILTER sources EXCLUDE REGEX "/webp_animation\\.cpp$")
  endif()
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
endfunction()
