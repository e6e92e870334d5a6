# Target desktop_bus: libsystemd, whose sd-bus talks with the portal of the desktop, which shows the dialogs for files.
# Sets TS_HAS_DESKTOP_DIALOGS to 0 or 1.

option(THREADSCAPE_DESKTOP_DIALOGS "Ask the portal of the desktop for dialogs for files, where libsystemd is found" ON)
set(TS_HAS_DESKTOP_DIALOGS 0)
if(THREADSCAPE_DESKTOP_DIALOGS)
  pkg_check_modules(libsystemd QUIET IMPORTED_TARGET libsystemd)
  if(TARGET PkgConfig::libsystemd)
    set(TS_HAS_DESKTOP_DIALOGS 1)
    add_library(desktop_bus ALIAS PkgConfig::libsystemd)
  endif()
endif()
if(TS_HAS_DESKTOP_DIALOGS)
  message(STATUS "Dialogs of the desktop: on")
else()
  message(STATUS "Dialogs of the desktop: off, files are chosen in dialogs of the window (libsystemd was not found; "
                 "scripts/setup installs it)")
endif()
