// Builds without libsystemd, which speaks D-Bus: the desktop shows no dialogs.

#include "app/platform/desktop_dialog.h"

namespace threadscape::app {

bool DesktopDialog::built_in() {
  return false;
}

DialogAnswer ask_portal(const DialogRequest& request, const std::stop_token& stop) {
  (void)request;
  (void)stop;
  return {.paths = {}, .choice = {}, .unavailable = "this program was built without libsystemd"};
}

}  // namespace threadscape::app
