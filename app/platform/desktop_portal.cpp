// The conversation with the portal of the desktop: D-Bus by sd-bus of libsystemd.

#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>

#include "app/platform/desktop_dialog.h"
#include "compute/io/file_uri.h"

namespace threadscape::app {

namespace {

constexpr const char* portal_name = "org.freedesktop.portal.Desktop";
constexpr const char* portal_path = "/org/freedesktop/portal/desktop";
constexpr const char* chooser = "org.freedesktop.portal.FileChooser";
constexpr const char* request_interface = "org.freedesktop.portal.Request";

/// Time in microseconds for the answer to each call. The user's answer is a signal, which has as long as it takes.
constexpr std::uint64_t patience = 3'000'000;

struct CloseBus {
  void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
};
struct DropMessage {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using Bus = std::unique_ptr<sd_bus, CloseBus>;
using Message = std::unique_ptr<sd_bus_message, DropMessage>;

/// Why the portal cannot be used.
struct Unavailable {
  std::string reason;
};

void check(int result, const char* what, const sd_bus_error* error = nullptr) {
  if (result >= 0) return;
  const bool has_words = error != nullptr && error->message != nullptr;
  throw Unavailable{std::string(what) + ": " + (has_words ? error->message : std::strerror(-result))};
}

/// An error of the bus that frees its texts.
struct BusError {
  sd_bus_error value = SD_BUS_ERROR_NULL;
  BusError() = default;
  ~BusError() { sd_bus_error_free(&value); }
  BusError(const BusError&) = delete;
  BusError& operator=(const BusError&) = delete;
};

/// Wakes poll() when the dialog is to be closed.
class StopEvent {
 public:
  explicit StopEvent(const std::stop_token& stop) : file_(eventfd(0, EFD_CLOEXEC)), callback_(stop, Signal{file_}) {}
  ~StopEvent() { close(file_); }
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;
  [[nodiscard]] int file() const { return file_; }

 private:
  struct Signal {
    int file;
    void operator()() const { eventfd_write(file, 1); }
  };
  int file_;
  std::stop_callback<Signal> callback_;  ///< The last member, so that it ends before the file is closed.
};

/// What the signals of the portal have told.
struct Heard {
  bool answered = false;
  DialogAnswer answer;
};

/// Reads the results of a Response: the URIs of the files and the chosen item.
void read_results(sd_bus_message* message, DialogAnswer& answer) {
  check(sd_bus_message_enter_container(message, SD_BUS_TYPE_ARRAY, "{sv}"), "the answer has another form");
  while (sd_bus_message_enter_container(message, SD_BUS_TYPE_DICT_ENTRY, "sv") > 0) {
    const char* key = nullptr;
    check(sd_bus_message_read(message, "s", &key), "the answer has another form");
    if (std::strcmp(key, "uris") == 0) {
      check(sd_bus_message_enter_container(message, SD_BUS_TYPE_VARIANT, "as"), "the answer names no files");
      check(sd_bus_message_enter_container(message, SD_BUS_TYPE_ARRAY, "s"), "the answer names no files");
      const char* uri = nullptr;
      while (sd_bus_message_read(message, "s", &uri) > 0)
        if (std::filesystem::path path = io::path_of_uri(uri); !path.empty()) answer.paths.push_back(std::move(path));
      sd_bus_message_exit_container(message);
      sd_bus_message_exit_container(message);
    } else if (std::strcmp(key, "choices") == 0) {
      check(sd_bus_message_enter_container(message, SD_BUS_TYPE_VARIANT, "a(ss)"), "the answer has another form");
      check(sd_bus_message_enter_container(message, SD_BUS_TYPE_ARRAY, "(ss)"), "the answer has another form");
      const char *id = nullptr, *item = nullptr;
      while (sd_bus_message_read(message, "(ss)", &id, &item) > 0)
        answer.choice = item;
      sd_bus_message_exit_container(message);
      sd_bus_message_exit_container(message);
    } else {
      check(sd_bus_message_skip(message, "v"), "the answer has another form");
    }
    sd_bus_message_exit_container(message);
  }
}

/// Handles the signal Response, with which the dialog ends.
int on_response(sd_bus_message* message, void* user, sd_bus_error* /*error*/) {
  auto& heard = *static_cast<Heard*>(user);
  if (heard.answered) return 0;
  heard.answered = true;
  std::uint32_t code = 2;
  try {
    check(sd_bus_message_read(message, "u", &code), "the answer has another form");
    // 0: files were chosen; 1: the user has cancelled; 2: the dialog ended in another way, for example by a crash.
    if (code == 0) read_results(message, heard.answer);
    if (code > 1) heard.answer.unavailable = "the dialog of the desktop ended without an answer";
  } catch (const Unavailable& trouble) {
    heard.answer = {.paths = {}, .choice = {}, .unavailable = trouble.reason};
  }
  return 0;
}

/// Handles the signal that a name on the bus has changed its owner: without the portal no answer will come.
int on_owner(sd_bus_message* message, void* user, sd_bus_error* /*error*/) {
  auto& heard = *static_cast<Heard*>(user);
  const char *name = nullptr, *before = nullptr, *after = nullptr;
  if (sd_bus_message_read(message, "sss", &name, &before, &after) < 0) return 0;
  if (heard.answered || *before == '\0' || *after != '\0') return 0;
  heard.answered = true;
  heard.answer.unavailable = "the portal of the desktop has ended";
  return 0;
}

/// Appends an entry of options whose value has a basic type.
void add_option(sd_bus_message* call, const char* key, const char* type, auto value) {
  check(sd_bus_message_append(call, "{sv}", key, type, value), "the request cannot be made");
}

/// Appends the folder as the bytes of its path, with the zero at the end that the portal asks for.
void add_folder(sd_bus_message* call, const std::filesystem::path& folder) {
  const std::string bytes = folder.string();
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_DICT_ENTRY, "sv"), "the request cannot be made");
  check(sd_bus_message_append(call, "s", "current_folder"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_VARIANT, "ay"), "the request cannot be made");
  check(sd_bus_message_append_array(call, 'y', bytes.c_str(), bytes.size() + 1), "the request cannot be made");
  sd_bus_message_close_container(call);
  sd_bus_message_close_container(call);
}

/// Appends the kinds of files: those with the extensions, and all.
void add_filters(sd_bus_message* call, const DialogRequest& request) {
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_DICT_ENTRY, "sv"), "the request cannot be made");
  check(sd_bus_message_append(call, "s", "filters"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_VARIANT, "a(sa(us))"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_ARRAY, "(sa(us))"), "the request cannot be made");
  const auto add = [&](const char* name, const std::vector<std::string>& patterns) {
    check(sd_bus_message_open_container(call, SD_BUS_TYPE_STRUCT, "sa(us)"), "the request cannot be made");
    check(sd_bus_message_append(call, "s", name), "the request cannot be made");
    check(sd_bus_message_open_container(call, SD_BUS_TYPE_ARRAY, "(us)"), "the request cannot be made");
    for (const std::string& pattern : patterns)
      check(sd_bus_message_append(call, "(us)", std::uint32_t{0}, pattern.c_str()), "the request cannot be made");
    sd_bus_message_close_container(call);
    sd_bus_message_close_container(call);
  };
  std::vector<std::string> patterns;
  std::ranges::transform(request.extensions, std::back_inserter(patterns), pattern_of);
  add(request.kind.c_str(), patterns);
  if (!request.saves) add("All files", {"*"});
  sd_bus_message_close_container(call);
  sd_bus_message_close_container(call);
  sd_bus_message_close_container(call);
}

void add_choice(sd_bus_message* call, const DialogChoice& choice) {
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_DICT_ENTRY, "sv"), "the request cannot be made");
  check(sd_bus_message_append(call, "s", "choices"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_VARIANT, "a(ssa(ss)s)"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_ARRAY, "(ssa(ss)s)"), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_STRUCT, "ssa(ss)s"), "the request cannot be made");
  check(sd_bus_message_append(call, "ss", choice.id.c_str(), choice.label.c_str()), "the request cannot be made");
  check(sd_bus_message_open_container(call, SD_BUS_TYPE_ARRAY, "(ss)"), "the request cannot be made");
  for (const auto& [id, text] : choice.items)
    check(sd_bus_message_append(call, "(ss)", id.c_str(), text.c_str()), "the request cannot be made");
  sd_bus_message_close_container(call);
  check(sd_bus_message_append(call, "s", choice.chosen.c_str()), "the request cannot be made");
  for (int level = 0; level < 4; ++level)
    sd_bus_message_close_container(call);
}

/// The call that shows the dialog. `token` is the last part of the path of its request.
Message make_call(sd_bus* bus, const DialogRequest& request, const std::string& token) {
  sd_bus_message* made = nullptr;
  check(sd_bus_message_new_method_call(bus, &made, portal_name, portal_path, chooser,
                                       request.saves ? "SaveFile" : "OpenFile"),
        "the request cannot be made");
  Message call(made);
  check(sd_bus_message_append(made, "ss", request.parent.c_str(), request.title.c_str()), "the request cannot be made");
  check(sd_bus_message_open_container(made, SD_BUS_TYPE_ARRAY, "{sv}"), "the request cannot be made");
  add_option(made, "handle_token", "s", token.c_str());
  add_option(made, "modal", "b", 1);
  if (!request.saves) {
    add_option(made, "multiple", "b", request.several ? 1 : 0);
    add_option(made, "directory", "b", request.folders ? 1 : 0);
  } else if (!request.name.empty()) {
    add_option(made, "current_name", "s", request.name.c_str());
  }
  if (!request.folder.empty()) add_folder(made, request.folder);
  if (!request.extensions.empty() && !request.folders) add_filters(made, request);
  if (request.choice) add_choice(made, *request.choice);
  check(sd_bus_message_close_container(made), "the request cannot be made");
  return call;
}

/// The path that the portal gives the request of this connection with this token.
std::string path_of_request(sd_bus* bus, const std::string& token) {
  const char* name = nullptr;
  check(sd_bus_get_unique_name(bus, &name), "the bus gave no name");
  std::string sender(name + 1);  // Without the colon.
  std::ranges::replace(sender, '.', '_');
  return std::string(portal_path) + "/request/" + sender + "/" + token;
}

/// Handles messages until the dialog has ended, or until `stop`, which ends it.
void wait_for_end(sd_bus* bus, const Heard& heard, const StopEvent& event, const std::stop_token& stop) {
  while (!heard.answered && !stop.stop_requested()) {
    const int handled = sd_bus_process(bus, nullptr);
    check(handled, "the connection with the desktop broke");
    if (handled > 0) continue;
    std::array<pollfd, 2> files{
        {{sd_bus_get_fd(bus), static_cast<short>(sd_bus_get_events(bus)), 0}, {event.file(), POLLIN, 0}}};
    // A limit for calls that wait inside the library; signals arrive by the file.
    constexpr int longest_ms = 1000;
    poll(files.data(), files.size(), longest_ms);
  }
}

DialogAnswer converse(const DialogRequest& request, const std::stop_token& stop) {
  const StopEvent event(stop);
  sd_bus* opened = nullptr;
  check(sd_bus_open_user(&opened), "there is no session bus");
  const Bus bus(opened);
  check(sd_bus_set_method_call_timeout(opened, patience), "the bus cannot be used");

  BusError error;
  std::uint32_t version = 0;
  check(sd_bus_get_property_trivial(opened, portal_name, portal_path, chooser, "version", &error.value, 'u', &version),
        "the desktop has no portal for files", &error.value);

  Heard heard;
  const std::string token = "threadscape" + std::to_string(std::random_device{}());
  const std::string expected = path_of_request(opened, token);
  check(sd_bus_match_signal(opened, nullptr, portal_name, expected.c_str(), request_interface, "Response", on_response,
                            &heard),
        "the answer cannot be waited for");
  check(sd_bus_add_match(opened, nullptr,
                         "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                         "member='NameOwnerChanged',arg0='org.freedesktop.portal.Desktop'",
                         on_owner, &heard),
        "the portal cannot be watched");

  const Message call = make_call(opened, request, token);
  sd_bus_message* got = nullptr;
  BusError refusal;
  check(sd_bus_call(opened, call.get(), 0, &refusal.value, &got), "the desktop shows no dialog", &refusal.value);
  const Message reply(got);
  const char* handle = nullptr;
  check(sd_bus_message_read(got, "o", &handle), "the desktop shows no dialog");
  // Portals before version 0.9 choose another path than the one that follows from the token.
  if (expected != handle)
    check(sd_bus_match_signal(opened, nullptr, portal_name, handle, request_interface, "Response", on_response, &heard),
          "the answer cannot be waited for");

  wait_for_end(opened, heard, event, stop);
  if (!heard.answered)
    sd_bus_call_method(opened, portal_name, handle, request_interface, "Close", nullptr, nullptr, "");
  return heard.answer;
}

}  // namespace

bool DesktopDialog::built_in() {
  return true;
}

DialogAnswer ask_portal(const DialogRequest& request, const std::stop_token& stop) {
  try {
    return converse(request, stop);
  } catch (const Unavailable& trouble) {
    return {.paths = {}, .choice = {}, .unavailable = trouble.reason};
  }
}

}  // namespace threadscape::app
