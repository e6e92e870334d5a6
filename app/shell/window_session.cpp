// Sessions of the window as files: what is saved, and how it is opened again.

#include <algorithm>

#include "app/shell/window.h"

namespace threadscape::app {

Session Window::session() {
  const SceneType& shown = scenes_.type_for(workspace_.algorithm());
  scene().note_place();
  SessionView view{.scene = std::string(shown.name),
                   .show = std::string(shown.shows[static_cast<std::size_t>(scene().shown())]),
                   .panel = front_panel(),
                   .settings = {}};
  for (const SceneType& type : scene_types())
    if (std::string settings = scenes_.settings_of(type); !settings.empty())
      view.settings[std::string(type.name)] = std::move(settings);
  Session session = session_of(workspace_, std::move(view));
  session.sketch = sketch_.kept(workspace_);
  return session;
}

void Window::open_session(const std::filesystem::path& path) {
  const Session session = load_session(path);
  apply_session(workspace_, session);
  apply_view(session.view);
  if (session.sketch) sketch_.restore(*session.sketch);
  const auto files = existing_inputs(session, workspace_.log);
  // The choice and its files are one change, so the history waits for the files.
  workspace_.history.observe(workspace_.setting(), false);
  workspace_.history.await(files);
  for (const auto& [kind, file] : files)
    live_.files().open(workspace_.file_to_restore(file, kind));
  workspace_.log.detail("opened session " + path.string());
}

void Window::apply_view(const SessionView& view) {
  const auto attempt = [this](const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      workspace_.log.warning("a part of the session's view was left out: " + std::string(error.what()));
    }
  };
  for (const auto& [name, settings] : view.settings) {
    const auto type = std::ranges::find(scene_types(), name, &SceneType::name);
    attempt([&, &name = name, &settings = settings] {
      if (type == scene_types().end()) throw UsageError("there is no scene '" + name + "'");
      scenes_.restore(*type, settings);
    });
  }
  attempt([&] {
    if (view.scene.empty()) return;
    const SceneType& type = find_scene(view.scene, workspace_.algorithm());
    scenes_.choose(type);
    scenes_.scene(type).show(find_show(type, view.show));
  });
  attempt([&] {
    if (!view.panel.empty()) show_panel(view.panel);
  });
}

void Window::ask_open_session() {
  files_.open("Open a session", FileBrowser::Purpose::open_preset,
              [this](const std::filesystem::path& path) {
                open_session(path);
                return FileBrowser::Progress::done;
              },
              {}, {std::string(session_extension)});
}

void Window::ask_save_session() {
  const auto source = workspace_.source();
  const std::string stem = source && !source->path.empty() ? source->path.stem().string() + "-" : std::string{};
  files_.open(
      "Save the session", FileBrowser::Purpose::save_preset,
      [this](const std::filesystem::path& path) {
        save_session(path, session());
        workspace_.log.info("saved session " + path.string(), {{Offer::Action::copy_text, "Copy path", path.string()}});
        return FileBrowser::Progress::done;
      },
      stem + std::string(workspace_.algorithm().name) + std::string(session_extension),
      {std::string(session_extension)});
}

}  // namespace threadscape::app
