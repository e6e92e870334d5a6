#pragma once
// A bus of D-Bus with a portal for files on it, for tests without a desktop. The bus is the program dbus-daemon, and
// the portal answers as the specification of org.freedesktop.portal.FileChooser says.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/app/app_testing.h"

struct sd_bus;
struct sd_bus_message;

namespace threadscape::testing {

/// A bus that ends with the object. DBUS_SESSION_BUS_ADDRESS names it as long as the object lives.
class PrivateBus {
 public:
  PrivateBus();
  ~PrivateBus();
  PrivateBus(const PrivateBus&) = delete;
  PrivateBus& operator=(const PrivateBus&) = delete;
  /// Why there is no bus; "" if there is one.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  TemporaryFolder folder_;
  std::string trouble_, address_, before_;
  bool had_before_ = false;
  int child_ = -1;
};

/// What the portal is told to do with the next dialog.
struct PortalPlan {
  std::uint32_t code = 0;         ///< 0: files were chosen, 1: cancelled, 2: ended in another way.
  std::vector<std::string> uris;  ///< The chosen files.
  std::string quality;            ///< The chosen item of the list; "" = none is returned.
  bool answers = true;            ///< False: the dialog stays until it is closed.
  bool leaves = false;            ///< The portal leaves the bus in the place of an answer.
  bool own_handle = false;        ///< The request gets a path that does not follow from the token.
};

/// What a program has asked for.
struct PortalCall {
  std::string method, parent, title, name, folder;
  bool several = false, directory = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> filters;
  std::vector<std::string> choices;  ///< The ids of the items of the list.
};

class FakePortal {
 public:
  FakePortal(const std::string& address, PortalPlan plan);
  ~FakePortal();
  FakePortal(const FakePortal&) = delete;
  FakePortal& operator=(const FakePortal&) = delete;

  [[nodiscard]] std::vector<PortalCall> calls() const;
  /// Returns whether a program has closed its dialog.
  [[nodiscard]] bool closed() const { return closed_; }
  void plan(PortalPlan next);

  /// Called by the bus for OpenFile, SaveFile and Close.
  int show(sd_bus_message* message);
  int close(sd_bus_message* message);

 private:
  void serve(const std::stop_token& stop);

  sd_bus* bus_ = nullptr;
  mutable std::mutex mutex_;
  PortalPlan plan_;
  std::vector<PortalCall> calls_;
  std::atomic<bool> closed_{false};
  std::jthread thread_;
};

}  // namespace threadscape::testing
