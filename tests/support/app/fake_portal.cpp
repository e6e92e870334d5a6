#include "tests/support/app/fake_portal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace threadscape::testing {

namespace {

constexpr const char* address_variable = "DBUS_SESSION_BUS_ADDRESS";
constexpr const char* path = "/org/freedesktop/portal/desktop";
constexpr const char* request_interface = "org.freedesktop.portal.Request";

void require(int result) {
  if (result < 0) throw std::runtime_error(std::strerror(-result));
}

/// Reads one of the filters: its name and its patterns.
void read_filters(sd_bus_message* message, PortalCall& call) {
  require(sd_bus_message_enter_container(message, 'v', "a(sa(us))"));
  require(sd_bus_message_enter_container(message, 'a', "(sa(us))"));
  while (sd_bus_message_enter_container(message, 'r', "sa(us)") > 0) {
    const char* name = nullptr;
    require(sd_bus_message_read(message, "s", &name));
    call.filters.emplace_back(name, std::vector<std::string>{});
    require(sd_bus_message_enter_container(message, 'a', "(us)"));
    std::uint32_t kind = 0;
    const char* pattern = nullptr;
    while (sd_bus_message_read(message, "(us)", &kind, &pattern) > 0)
      call.filters.back().second.emplace_back(pattern);
    require(sd_bus_message_exit_container(message));
    require(sd_bus_message_exit_container(message));
  }
  require(sd_bus_message_exit_container(message));
  require(sd_bus_message_exit_container(message));
}

void read_choices(sd_bus_message* message, PortalCall& call) {
  require(sd_bus_message_enter_container(message, 'v', "a(ssa(ss)s)"));
  require(sd_bus_message_enter_container(message, 'a', "(ssa(ss)s)"));
  while (sd_bus_message_enter_container(message, 'r', "ssa(ss)s") > 0) {
    const char *id = nullptr, *text = nullptr;
    require(sd_bus_message_read(message, "ss", &id, &text));
    require(sd_bus_message_enter_container(message, 'a', "(ss)"));
    while (sd_bus_message_read(message, "(ss)", &id, &text) > 0)
      call.choices.emplace_back(id);
    require(sd_bus_message_exit_container(message));
    require(sd_bus_message_read(message, "s", &text));
    require(sd_bus_message_exit_container(message));
  }
  require(sd_bus_message_exit_container(message));
  require(sd_bus_message_exit_container(message));
}

/// Reads the options of a call. Returns the token of its request.
std::string read_options(sd_bus_message* message, PortalCall& call) {
  std::string token;
  require(sd_bus_message_enter_container(message, 'a', "{sv}"));
  while (sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    const char *key = nullptr, *text = nullptr;
    int flag = 0;
    require(sd_bus_message_read(message, "s", &key));
    const std::string_view name = key;
    if (name == "handle_token" || name == "current_name") {
      require(sd_bus_message_read(message, "v", "s", &text));
      (name == "handle_token" ? token : call.name) = text;
    } else if (name == "multiple" || name == "directory") {
      require(sd_bus_message_read(message, "v", "b", &flag));
      (name == "multiple" ? call.several : call.directory) = flag != 0;
    } else if (name == "current_folder") {
      const void* bytes = nullptr;
      std::size_t size = 0;
      require(sd_bus_message_enter_container(message, 'v', "ay"));
      require(sd_bus_message_read_array(message, 'y', &bytes, &size));
      call.folder = std::string(static_cast<const char*>(bytes), size);
      require(sd_bus_message_exit_container(message));
    } else if (name == "filters") {
      read_filters(message, call);
    } else if (name == "choices") {
      read_choices(message, call);
    } else {
      require(sd_bus_message_skip(message, "v"));
    }
    require(sd_bus_message_exit_container(message));
  }
  return token;
}

int on_call(sd_bus_message* message, void* user, sd_bus_error* /*error*/) {
  return static_cast<FakePortal*>(user)->show(message);
}

int on_close(sd_bus_message* message, void* user, sd_bus_error* /*error*/) {
  return static_cast<FakePortal*>(user)->close(message);
}

int read_version(sd_bus*, const char*, const char*, const char*, sd_bus_message* reply, void*, sd_bus_error*) {
  return sd_bus_message_append(reply, "u", std::uint32_t{3});
}

// The macros are lists of initialisers, from which no std::array is deduced.
// NOLINTBEGIN(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)
const sd_bus_vtable chooser_table[]{
    SD_BUS_VTABLE_START(0), SD_BUS_METHOD("OpenFile", "ssa{sv}", "o", on_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("SaveFile", "ssa{sv}", "o", on_call, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("version", "u", read_version, 0, SD_BUS_VTABLE_PROPERTY_CONST), SD_BUS_VTABLE_END};
const sd_bus_vtable request_table[]{SD_BUS_VTABLE_START(0),
                                    SD_BUS_METHOD("Close", "", "", on_close, SD_BUS_VTABLE_UNPRIVILEGED),
                                    SD_BUS_SIGNAL("Response", "ua{sv}", 0), SD_BUS_VTABLE_END};
// NOLINTEND(cppcoreguidelines-avoid-c-arrays,modernize-avoid-c-arrays)

/// Sends the signal with which the dialog ends.
void respond(sd_bus* bus, const std::string& handle, const PortalPlan& plan) {
  sd_bus_message* signal = nullptr;
  require(sd_bus_message_new_signal(bus, &signal, handle.c_str(), request_interface, "Response"));
  require(sd_bus_message_append(signal, "u", plan.code));
  require(sd_bus_message_open_container(signal, 'a', "{sv}"));
  require(sd_bus_message_append(signal, "{sv}", "writable", "b", 1));
  require(sd_bus_message_open_container(signal, 'e', "sv"));
  require(sd_bus_message_append(signal, "s", "uris"));
  require(sd_bus_message_open_container(signal, 'v', "as"));
  require(sd_bus_message_open_container(signal, 'a', "s"));
  for (const std::string& uri : plan.uris)
    require(sd_bus_message_append(signal, "s", uri.c_str()));
  for (int level = 0; level < 3; ++level)
    require(sd_bus_message_close_container(signal));
  if (!plan.quality.empty())
    require(sd_bus_message_append(signal, "{sv}", "choices", "a(ss)", 1, "quality", plan.quality.c_str()));
  require(sd_bus_message_close_container(signal));
  require(sd_bus_send(bus, signal, nullptr));
  sd_bus_message_unref(signal);
}

}  // namespace

PrivateBus::PrivateBus() {
  // The bus starts no services, because a portal of this machine would show dialogs on its screen.
  const std::filesystem::path config = folder_.path() / "bus.conf";
  std::ofstream(config) << "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" "
                           "\"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n<busconfig><type>session"
                           "</type><listen>unix:path="
                        << (folder_.path() / "socket").string()
                        << "</listen><auth>EXTERNAL</auth><policy context=\"default\"><allow send_destination=\"*\"/>"
                           "<allow receive_sender=\"*\"/><allow own=\"*\"/></policy></busconfig>\n";
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    trouble_ = "no pipe for dbus-daemon";
    return;
  }
  const std::string config_option = "--config-file=" + config.string();
  const std::string address_option = "--print-address=" + std::to_string(ends[1]);
  child_ = fork();
  if (child_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::close(ends[0]);
    // Without root it complains that it cannot raise the limit of open files.
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execlp("dbus-daemon", "dbus-daemon", "--nofork", config_option.c_str(), address_option.c_str(), nullptr);
    _exit(127);
  }
  ::close(ends[1]);
  std::array<char, 512> text{};
  for (ssize_t got = 0;
       address_.find('\n') == std::string::npos && (got = read(ends[0], text.data(), text.size())) > 0;)
    address_.append(text.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  address_ = address_.substr(0, address_.find('\n'));
  if (address_.empty()) {
    trouble_ = "dbus-daemon is not installed or does not start";
    return;
  }
  const char* before = std::getenv(address_variable);
  had_before_ = before != nullptr;
  if (had_before_) before_ = before;
  setenv(address_variable, address_.c_str(), 1);
}

PrivateBus::~PrivateBus() {
  if (child_ > 0) {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  if (address_.empty()) return;
  if (had_before_)
    setenv(address_variable, before_.c_str(), 1);
  else
    unsetenv(address_variable);
}

FakePortal::FakePortal(const std::string& address, PortalPlan plan) : plan_(std::move(plan)) {
  require(sd_bus_new(&bus_));
  require(sd_bus_set_address(bus_, address.c_str()));
  require(sd_bus_set_bus_client(bus_, 1));
  require(sd_bus_start(bus_));
  require(sd_bus_add_object_vtable(bus_, nullptr, path, "org.freedesktop.portal.FileChooser", chooser_table, this));
  require(sd_bus_request_name(bus_, "org.freedesktop.portal.Desktop", 0));
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

FakePortal::~FakePortal() {
  thread_.request_stop();
  thread_.join();
  sd_bus_flush_close_unref(bus_);
}

std::vector<PortalCall> FakePortal::calls() const {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

void FakePortal::plan(PortalPlan next) {
  const std::scoped_lock lock(mutex_);
  plan_ = std::move(next);
}

int FakePortal::show(sd_bus_message* message) {
  PortalCall call{.method = sd_bus_message_get_member(message)};
  const char *parent = nullptr, *title = nullptr;
  require(sd_bus_message_read(message, "ss", &parent, &title));
  call.parent = parent;
  call.title = title;
  const std::string token = read_options(message, call);
  std::string sender(sd_bus_message_get_sender(message) + 1);
  std::ranges::replace(sender, '.', '_');

  const std::scoped_lock lock(mutex_);
  calls_.push_back(std::move(call));
  const std::string handle = std::string(path) + "/request/" + (plan_.own_handle ? "t/12" : sender + "/" + token);
  require(sd_bus_add_object_vtable(bus_, nullptr, handle.c_str(), request_interface, request_table, this));
  require(sd_bus_reply_method_return(message, "o", handle.c_str()));
  if (plan_.leaves) return sd_bus_release_name(bus_, "org.freedesktop.portal.Desktop");
  if (plan_.own_handle) {
    // The program learns the path from the reply. It has 200 ms to listen there, as it has while a user reads a dialog.
    require(sd_bus_flush(bus_));
    usleep(200'000);
  }
  if (plan_.answers) respond(bus_, handle, plan_);
  return 1;
}

int FakePortal::close(sd_bus_message* message) {
  closed_ = true;
  return sd_bus_reply_method_return(message, "");
}

void FakePortal::serve(const std::stop_token& stop) {
  constexpr std::uint64_t longest_us = 20'000;
  while (!stop.stop_requested())
    if (sd_bus_process(bus_, nullptr) == 0) sd_bus_wait(bus_, longest_us);
}

}  // namespace threadscape::testing
