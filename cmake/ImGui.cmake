# Target imgui::imgui: Dear ImGui (docking) with the GLFW and OpenGL 3 backends, ImPlot and GLFW 3.4, as static
# libraries from the Python package comma-deps-imgui. GLFW opens X11 and Wayland with dlopen, so neither is needed at
# link time.

set(imgui_root "${THREADSCAPE_PYTHON_DIR}/imgui/install")

add_library(glfw::glfw STATIC IMPORTED GLOBAL)
set_target_properties(glfw::glfw PROPERTIES IMPORTED_LOCATION "${imgui_root}/lib/libglfw3.a")
target_include_directories(glfw::glfw SYSTEM INTERFACE "${imgui_root}/include")
target_compile_definitions(glfw::glfw INTERFACE GLFW_INCLUDE_NONE)
target_link_libraries(glfw::glfw INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

add_library(imgui::imgui STATIC IMPORTED GLOBAL)
set_target_properties(imgui::imgui PROPERTIES IMPORTED_LOCATION "${imgui_root}/lib/libimgui.a")
target_include_directories(imgui::imgui SYSTEM INTERFACE "${imgui_root}/include")
target_link_libraries(imgui::imgui INTERFACE glfw::glfw)
