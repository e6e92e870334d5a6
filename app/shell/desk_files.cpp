// Files on the desk, and what is told about them: dialogs, saving, pictures of the view, messages.

#include <algorithm>
#include <utility>

#include "app/session/session_file.h"
#include "app/session/user_folders.h"
#include "app/shell/clipboard.h"
#include "app/shell/desk.h"
#include "app/ui/widgets.h"
#include "compute/core/convert.h"
#include "compute/io/base64.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/result_extensions.h"
#include "compute/registry/registry.h"
#include "render/capture.h"

namespace threadscape::app {

namespace {

void make_folder_of(const std::filesystem::path& file) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed) throw EnvironmentError(file.parent_path().string() + " cannot be made: " + failed.message());
}

}  // namespace

void Desk::open(const std::filesystem::path& path) {
  if (is_session_path(path)) {
    try {
      open_session(path);
    } catch (const Error& error) {
      workspace_.log.error(error.what());
    }
    return;
  }
  if (const bool opens_lesson = is_lesson(path); opens_lesson || names_sketch(path.string())) {
    try {
      if (opens_lesson)
        open_lesson(path);
      else
        sketch_.open(path);
      recent_.add(path);
      files_.finish(path, "");
    } catch (const Error& error) {
      workspace_.log.error(error.what());
      files_.finish(path, error.what());
    }
    return;
  }
  list_.opened(path);
  live_.files().open(workspace_.file_to_open(path), [this, path](const std::string& trouble) {
    files_.finish(path, trouble);
    if (trouble.empty()) recent_.add(path);
  });
}

void Desk::open_lesson(const std::filesystem::path& path) {
  lesson_.open(lesson_folder(path.string()));
  show_panel("lesson");
}

void Desk::open_together(const std::vector<std::filesystem::path>& paths) {
  if (paths.empty()) return;
  if (paths.size() > 1) list_.set(paths);
  open(paths.front());
}

void Desk::step_file(int by) {
  const std::optional<std::filesystem::path> next = list_.step(by);
  if (next && !live_.files().busy()) open(*next);
}

void Desk::ask_export_sketch() {
  files_.open(
      "Export the sketch", FileBrowser::Purpose::save_preset,
      [this](const std::filesystem::path& path) {
        const auto source = workspace_.source();
        const bool pictured = source && source->picture.pixels.shape().kind == Kind::image;
        ExportedSketch sketch = sketch_.to_export(
            workspace_, source ? source->title() + ", " + to_string(source->picture.pixels.shape()) : std::string{});
        // A sketch has at most 1 MiB, and base64 takes four thirds of the bytes.
        constexpr std::size_t most_bytes = 600'000;
        const std::filesystem::path png = cache_folder() / "exported.png";
        if (pictured && source->picture.pixels.shape().bytes() <= 4 * most_bytes) {
          make_folder_of(png);
          io::save_picture(png, source->picture.pixels.view(), source->picture.colour);
          const std::vector<std::byte> bytes = io::load_bytes(png, io::Limit::file_bytes);
          if (bytes.size() <= most_bytes)
            sketch.picture =
                "data:image/png;base64," + io::to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }
        io::save_bytes(path, text_of(sketch));
        workspace_.log.info("exported " + path.string() + (sketch.picture.empty() ? ", without its input" : ""),
                            {{Offer::Action::copy_text, "Copy path", path.string()}});
        return FileBrowser::Progress::done;
      },
      sketch_.file().stem().string() + "-exported" + sketch_.file().extension().string(),
      {sketch_.file().extension().string()});
}

void Desk::open_exported_input() {
  const std::optional<PictureBytes> picture = picture_in_text(sketch_.exported().picture);
  const std::filesystem::path path = cache_folder() / ("input" + (picture ? picture->extension : ".png"));
  try {
    if (!picture) throw UsageError("the input of " + sketch_.file().filename().string() + " is damaged");
    make_folder_of(path);
    io::save_bytes(path, picture->bytes);
    live_.files().open(workspace_.file_to_open(path));
  } catch (const Error& error) {
    workspace_.log.error(error.what());
  }
}

void Desk::copy_view() {
  const std::filesystem::path path = cache_folder() / "copied.png";
  try {
    const auto write = [path](HostIn pixels) {
      make_folder_of(path);
      io::save_picture(path, render::flip_rows(pixels).view(), io::FileColour::rgb);
      copy_picture_file(path);
    };
    live_.files().save(path, render::begin_capture(finished_view()), write, tell_copied());
  } catch (const Error& error) {
    workspace_.log.error(error.what());
  }
}

void Desk::paste() {
  const char* held = ImGui::GetClipboardText();
  const std::string_view text = held != nullptr ? held : "";
  if (const auto paths = files_in_text(text); !paths.empty()) return open_together(paths);
  std::optional<PictureBytes> picture = picture_in_text(text);
  const std::filesystem::path path = cache_folder() / ("pasted" + (picture ? picture->extension : ".png"));
  // The file is written on the thread for files, because another program is asked for the picture and may be slow.
  const auto write = [path, picture = std::move(picture)] {
    make_folder_of(path);
    if (picture)
      io::save_bytes(path, picture->bytes);
    else
      paste_picture_file(path);
  };
  live_.files().save(path, write, [this, path](const std::string& trouble) {
    if (trouble.empty()) live_.files().open(workspace_.file_to_open(path));
  });
}

void Desk::ask_open() {
  files_.open("Open a file", FileBrowser::Purpose::open, [this](const std::filesystem::path& path) {
    open(path);
    return FileBrowser::Progress::pending;
  });
  files_.allow_several([this](const std::vector<std::filesystem::path>& paths) { open_together(paths); });
}

void Desk::ask_open_folder() {
  files_.open("Open a folder as a volume", FileBrowser::Purpose::open_folder,
              [this](const std::filesystem::path& path) {
                open(path);
                return FileBrowser::Progress::pending;
              });
}

void Desk::ask_save() {
  if (!can_save()) {
    workspace_.log.warning("there is no result to save yet");
    return;
  }
  // What is saved is what is shown, which can be the result of the input or the algorithm before.
  const auto source = live_.displayed_source();
  const AlgorithmInfo& algorithm = *live_.displayed()->algorithm;
  const std::string stem = source && !source->path.empty() ? io::stem_of(source->path) + "-" : std::string{};
  const std::vector<std::string> extensions = result_extensions();
  const std::vector<Intermediate> all = workspace_.intermediates();
  const bool on_the_way =
      &algorithm == &workspace_.algorithm() && workspace_.shown_intermediate() + 1 < static_cast<int>(all.size());
  const std::string number =
      on_the_way ? "-intermediate" + std::to_string(workspace_.shown_intermediate() + 1) : std::string{};
  files_.open(
      "Save the result", FileBrowser::Purpose::save_picture,
      [this](const std::filesystem::path& path) {
        save_result(path);
        return FileBrowser::Progress::pending;
      },
      stem + std::string(algorithm.name) + number + (extensions.empty() ? "" : extensions.front()), extensions, true);
  if (const std::optional<Shape> shape = result_shape())
    files_.state_contents(to_string(*shape) + ", " + format_bytes(static_cast<double>(shape->bytes())) +
                          " before the format compresses it");
}

void Desk::ask_save(SaveRequest request) {
  files_.open(
      std::move(request.title), FileBrowser::Purpose::save_picture,
      [this, writer = std::move(request.writer)](const std::filesystem::path& path) {
        live_.files().save(path, writer(path), tell_dialog(path));
        return FileBrowser::Progress::pending;
      },
      request.name, io::extensions_that_hold(Shape::image(Element::u8, 1, 1, 1)));
}

std::optional<Shape> Desk::result_shape() const {
  const Work* shown = live_.displayed();
  if (shown == nullptr) return {};
  const auto source = live_.displayed_source();
  // A scene that makes the picture itself has other parameters computed than the chosen ones.
  const bool chosen = shown->algorithm == &workspace_.algorithm();
  try {
    return shown->algorithm->output_shape(chosen ? workspace_.work().params : shown->params,
                                          source ? source->picture.pixels.shape() : Shape{});
  } catch (const Error&) {  // The parameters have changed since the result was computed, and cannot be run.
    return {};
  }
}

std::vector<std::string> Desk::result_extensions() const {
  const std::optional<Shape> shape = result_shape();
  return shape ? io::extensions_that_hold(*shape) : std::vector<std::string>{};
}

FileTasks::Ended Desk::tell_dialog(const std::filesystem::path& path) {
  return [this, path](const std::string& trouble) { files_.finish(path, trouble); };
}

FileTasks::Ended Desk::tell_copied() {
  return [this](const std::string& trouble) {
    if (trouble.empty()) workspace_.log.info("the picture is in the clipboard");
  };
}

void Desk::accept(const Offer& offer) {
  switch (offer.action) {
    case Offer::Action::copy_text:
      ImGui::SetClipboardText(offer.text.c_str());
      break;
    case Offer::Action::choose_algorithm:
      workspace_.choose_algorithm(find_algorithm(offer.text));
      break;
    case Offer::Action::open_file:
      ask_open();
      break;
    case Offer::Action::set_parameter: {
      const std::size_t end_of_name = offer.text.find('=');
      workspace_.set_parameter(offer.text.substr(0, end_of_name), offer.text.substr(end_of_name + 1));
      break;
    }
    case Offer::Action::earlier_input:
      workspace_.go_back(offer.kind);
      break;
    case Offer::Action::choose_backend:
      for (const Backend backend : backends)
        if (name_of(backend) == offer.text) workspace_.choose_backend(backend);
      break;
  }
}

void Desk::save_result(const std::filesystem::path& path) {
  if (!can_save()) throw UsageError("there is no result yet: wait for the run");
  const auto source = live_.displayed_source();
  const Work& shown_work = *live_.displayed();
  const auto& notes_of = shown_work.algorithm->file_notes;
  const FileNotes notes =
      notes_of ? notes_of->of(shown_work.params, source ? source->picture.pixels.shape() : Shape{}) : FileNotes{};
  const io::SaveOptions save{source ? source->picture.colour : io::FileColour::grey, notes, files_.quality(),
                             source ? source->picture.facts : io::PictureFacts{}};
  if (std::optional<SceneResult> shown = scene().result(live_)) {
    const auto write = [path, save, convert = std::move(shown->convert)](HostIn contents) {
      io::save_data(path, convert(contents).view(), save);
    };
    live_.files().save(path, std::move(shown->contents), write, tell_dialog(path));
  } else {
    const auto write = [path, save](HostIn data) { io::save_data(path, data, save); };
    live_.files().save(path, live_.output()->begin_read(), write, tell_dialog(path));
  }
}

void Desk::save_thumbnail(const std::filesystem::path& preset) {
  if (live_.output() == nullptr) return;
  const std::filesystem::path path = thumbnail_path(preset);
  const auto write = [path](HostIn picture) {
    io::save_picture(path, make_thumbnail(picture).view(), io::FileColour::rgb);
  };
  try {
    // What is no picture is shown as the view shows it.
    if (live_.output()->shape().kind == Kind::image && live_.output()->texture() != nullptr)
      live_.files().save(path, live_.output()->begin_read(),
                         [write](HostIn data) { write(convert_picture(data, Element::u8).view()); });
    else
      live_.files().save(path, render::begin_capture(finished_view()),
                         [write](HostIn pixels) { write(render::flip_rows(pixels).view()); });
  } catch (const Error& error) {
    workspace_.log.warning("the preset has no thumbnail: " + std::string(error.what()));
  }
}

const gl::Framebuffer& Desk::finished_view() {
  scene().finish(live_, view_);
  return view_;
}

void Desk::save_view(const std::filesystem::path& path) {
  save_frame(finished_view(), path);
}

/// Writes a rectangle of the interface to a PNG in the background, or puts it into the clipboard. The log states the
/// file.
void Desk::save_part(const gl::Framebuffer& frame, const WindowPart& part) {
  const ImVec2 density = ImGui::GetIO().DisplayFramebufferScale;
  const auto clamped = [](float at, int length) { return std::clamp(static_cast<int>(at), 0, length); };
  const int left = clamped(part.corner.x * density.x, frame.width() - 1);
  const int top = clamped(part.corner.y * density.y, frame.height() - 1);
  const int width = clamped(part.size.x * density.x, frame.width() - left);
  const int height = clamped(part.size.y * density.y, frame.height() - top);
  if (width == 0 || height == 0) return;
  const bool copied = part.path.empty();
  const std::filesystem::path path = copied ? cache_folder() / "copied.png" : part.path;
  try {
    const auto write = [=](HostIn pixels) {
      const HostArray picture = render::flip_rows(pixels);
      const HostIn all = picture.view();
      Shape shape = all.shape;
      shape.width = width;
      shape.height = height;
      const std::byte* corner =
          all.data + static_cast<std::size_t>(top) * all.pitch + static_cast<std::size_t>(left) * shape.pixel_bytes();
      if (copied) make_folder_of(path);
      io::save_picture(path, {corner, shape, all.pitch}, io::FileColour::rgb);
      if (copied) copy_picture_file(path);
    };
    live_.files().save(path, render::begin_capture(frame), write, copied ? tell_copied() : tell_dialog(path));
  } catch (const Error& error) {
    workspace_.log.error(error.what());
  }
}

void Desk::save_with_view(const std::filesystem::path& path, std::function<void(HostArray view)> write) {
  live_.files().save(
      path, render::begin_capture(finished_view()),
      [write = std::move(write)](HostIn pixels) { write(render::flip_rows(pixels)); }, tell_dialog(path));
}

void Desk::save_frame(const gl::Framebuffer& frame, const std::filesystem::path& path) {
  try {
    live_.files().save(path, render::begin_capture(frame), [path](HostIn pixels) {
      io::save_picture(path, render::flip_rows(pixels).view(), io::FileColour::rgb);
    });
  } catch (const Error& error) {
    workspace_.log.error(error.what());
  }
}

}  // namespace threadscape::app
