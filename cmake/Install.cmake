# `cmake --install` and CPack: the program with its assets, manual page, completion scripts, icon, desktop entry and MIME
# types. scripts/package makes a Debian package and a portable archive from it.

include(GNUInstallDirs)

# The portable archive has the libraries that a bare system lacks in this folder, which does not exist elsewhere. An
# RPATH is used instead of a RUNPATH, because it also holds for the dependencies of these libraries.
set_target_properties(threadscape PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/threadscape")
target_link_options(threadscape PRIVATE -Wl,--disable-new-dtags)

install(TARGETS threadscape RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# program_beside() looks for them there (compute/warp/limited_process.cpp).
install(TARGETS threadscape_nvrtc threadscape_kernels RUNTIME DESTINATION "libexec/threadscape")
foreach(folder IN ITEMS benchmarks elements lessons sketches)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/${folder}" DESTINATION "${CMAKE_INSTALL_DATADIR}/threadscape/assets")
endforeach()
# The menu Help opens them in the lab.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/benchmarks/" DESTINATION "${CMAKE_INSTALL_DATADIR}/threadscape/reports"
        FILES_MATCHING PATTERN "*.json")
# The panel Source shows the code of diagrams, and the microscope that of kernels.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/compute/algorithms" DESTINATION "${CMAKE_INSTALL_DATADIR}/threadscape/compute"
        FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.cu" PATTERN "*.cuh")
# scripts/setup fetches the samples, so they may be absent.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/samples/"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/threadscape/assets/samples" OPTIONAL)
set(desktop "${PROJECT_SOURCE_DIR}/assets/desktop")
install(FILES "${desktop}/threadscape.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${desktop}/threadscape.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
install(FILES "${desktop}/threadscape.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/threadscape")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/threadscape" RENAME copyright)

# An address that exists nowhere (RFC 2606), because a package has to state one.
set(contact "The Threadscape authors <threadscape@threadscape.invalid>")

# The program itself writes the manual page and the completion scripts. Debian's changelog has the releases alone.
install(CODE "set(threadscape \"$<TARGET_FILE:threadscape>\")")
install(CODE "set(made \"${PROJECT_BINARY_DIR}/made\")")
install(CODE "set(contact \"${contact}\")")
install(CODE "file(STRINGS \"${PROJECT_SOURCE_DIR}/CHANGELOG.md\" releases REGEX \"^## .[0-9.]+. - [0-9-]+$\")")
install(
  CODE [[
  function(threadscape_write_output file)
    execute_process(COMMAND "${threadscape}" ${ARGN} OUTPUT_FILE "${made}/${file}" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  file(MAKE_DIRECTORY "${made}")
  threadscape_write_output(threadscape.1 man)
  threadscape_write_output(threadscape completion bash)
  threadscape_write_output(_threadscape completion zsh)
  threadscape_write_output(threadscape.fish completion fish)
  set(changelog "")
  foreach(release IN LISTS releases)
    string(REGEX MATCH "([0-9.]+). - ([0-9-]+)" release "${release}")
    set(version "${CMAKE_MATCH_1}")
    execute_process(COMMAND date -uR -d "${CMAKE_MATCH_2}" OUTPUT_VARIABLE date ENCODING UTF-8 COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND changelog "threadscape (${version}) unstable; urgency=medium\n\n"
           "  * CHANGELOG.md beside this file lists the changes.\n\n -- ${contact}  ${date}\n")
  endforeach()
  file(WRITE "${made}/changelog" "${changelog}")
  execute_process(COMMAND gzip -9nf "${made}/threadscape.1" "${made}/changelog" COMMAND_ERROR_IS_FATAL ANY)
]])
install(FILES "${PROJECT_BINARY_DIR}/made/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/threadscape")
install(FILES "${PROJECT_BINARY_DIR}/made/threadscape.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_BINARY_DIR}/made/threadscape"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${PROJECT_BINARY_DIR}/made/_threadscape" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${PROJECT_BINARY_DIR}/made/threadscape.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME threadscape)
set(CPACK_PACKAGE_VENDOR "The Threadscape authors")
set(CPACK_PACKAGE_CONTACT "${contact}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Parallel image and volume algorithms on CPU and GPU, live")
set(CPACK_PACKAGE_DESCRIPTION
    "Threadscape runs image filters, morphology, seam carving, terrain, computed
tomography and sorting on three backends (serial, OpenMP with SIMD, CUDA),
shows the results live in a window, and measures and verifies them.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# GLFW, EGL and OpenGL are opened at run time, so dpkg-shlibdeps does not find them. The command line needs none of
# them for computing.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libegl1, libgl1, libgl1-mesa-dri | libgl1-nvidia-glvnd-glx, libx11-6, libxcursor1, libxi6, libxinerama1, libxrandr2, libxkbcommon0, fonts-inter, fonts-dejavu-core"
)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")
include(CPack)
