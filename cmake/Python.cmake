# Looks for the headers of Python and for nanobind, which the package for Python (app/python) is made with, and sets
# TS_HAS_PYTHON. It is built for the interpreter that CMake has found, or for the one that builds a wheel.

set(TS_HAS_PYTHON OFF)
if(NOT THREADSCAPE_PYTHON OR THREADSCAPE_SANITIZE)
  return()
endif()
if(NOT DEFINED Python_EXECUTABLE)
  set(Python_EXECUTABLE "${Python3_EXECUTABLE}")
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS Development.SABIModule)
find_package(nanobind CONFIG QUIET HINTS "${THREADSCAPE_DEPS_DIR}/python/nanobind/cmake")
if(Python_Development.Module_FOUND AND nanobind_FOUND)
  set(TS_HAS_PYTHON ON)
  # nanobind makes a module of the stable ABI where all of this is so, and one of a single version elsewhere.
  if(TARGET Python::SABIModule AND Python_VERSION VERSION_GREATER_EQUAL 3.12 AND Python_INTERPRETER_ID STREQUAL "Python"
     AND NOT Python_SOABI MATCHES "^cpython-[0-9]+t")
    set(python_versions "3.12 and later (stable ABI), built with ${Python_VERSION}")
  else()
    string(CONCAT python_versions "${Python_VERSION_MAJOR}.${Python_VERSION_MINOR} alone; a module for all versions from 3.12"
                  " on takes CMake 3.26 (here ${CMAKE_VERSION}) and CPython 3.12 (here ${Python_VERSION})")
  endif()
  message(STATUS "Python package: for Python ${python_versions}")
elseif(THREADSCAPE_PYTHON STREQUAL "AUTO")
  message(STATUS "Python package: off (the headers of Python or nanobind are not found; scripts/setup installs them)")
else()
  message(FATAL_ERROR "Python package: the headers of Python (Debian: python3-dev) or nanobind are not found")
endif()
