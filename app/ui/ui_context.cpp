#include "app/ui/ui_context.h"

#include <imgui_impl_opengl3.h>
#include <implot.h>

#include "app/ui/held_keys.h"
#include "render/gl/renderer.h"

namespace threadscape::app {

UiContext::UiContext(Platform& platform, FontChoice fonts, std::string layout_file)
    : platform_(platform), layout_file_(std::move(layout_file)) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigErrorRecoveryEnableAssert = false;
  io.IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
  fonts_ = load_fonts(fonts);
  platform_.init_ui();
  if (!ImGui_ImplOpenGL3_Init("#version 450 core"))
    throw EnvironmentError("the interface could not be set up in OpenGL");
  painter_.emplace(gl::is_software(gl::renderer_name()) ? InterfacePainter::Draws::changes
                                                        : InterfacePainter::Draws::everything);
}

UiContext::~UiContext() {
  ImGui_ImplOpenGL3_Shutdown();
  platform_.shutdown_ui();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

void UiContext::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  platform_.begin_ui_frame();
  const ImVector<ImGuiInputEvent> held = take_held_keys();
  ImGui::NewFrame();
  give_back_keys(held);
}

void UiContext::end_frame(const gl::Framebuffer& target) {
  ImGui::Render();
  const ImVec4 canvas = canvas_colour();
  painter_->paint(target, {canvas.x, canvas.y, canvas.z, 1.0f});
}

void UiContext::drop_frame() {
  ImGui::EndFrame();
}

}  // namespace threadscape::app
