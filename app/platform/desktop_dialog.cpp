#include "app/platform/desktop_dialog.h"

#include <cctype>

namespace threadscape::app {

void DesktopDialog::ask(DialogRequest request) {
  waiting_ = true;
  thread_ = std::jthread([this, request = std::move(request)](const std::stop_token& stop) {
    DialogAnswer answer = ask_portal(request, stop);
    {
      const std::scoped_lock lock(mutex_);
      answer_ = std::move(answer);
    }
    if (!stop.stop_requested()) wake_();
  });
}

std::optional<DialogAnswer> DesktopDialog::take() {
  const std::scoped_lock lock(mutex_);
  std::optional<DialogAnswer> answer = std::exchange(answer_, {});
  if (answer) waiting_ = false;
  return answer;
}

std::string pattern_of(const std::string& extension) {
  std::string pattern = "*";
  for (const char c : extension) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) != 0)
      pattern += {'[', static_cast<char>(std::tolower(letter)), static_cast<char>(std::toupper(letter)), ']'};
    else
      pattern += c;
  }
  return pattern;
}

}  // namespace threadscape::app
