#include "compute/warp/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "compute/warp/rtc_headers.h"
#include "compute/warp/toolkit.h"

namespace threadscape::warp {

namespace fs = std::filesystem;

std::vector<fs::path> nvrtc_candidates() {
  return library_candidates("THREADSCAPE_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12"}, "libnvrtc.so.");
}

fs::path toolkit_headers() {
  std::error_code error;
  for (const fs::path& folder : toolkit_folders("include", "include"))
    if (fs::exists(folder / "cuda_fp16.h", error)) return folder;
  return {};
}

template <class Function>
Function Nvrtc::find(const char* name) const {
  return reinterpret_cast<Function>(dlsym(library_, name));
}

Nvrtc::Nvrtc() {
  for (const fs::path& file : nvrtc_candidates()) {
    // NVRTC opens its builtins by their name alone, and finds them where the loader looks or if they are there already.
    for (const fs::path& builtins : libraries_in(file.parent_path(), "libnvrtc-builtins.so."))
      if (dlopen(builtins.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) break;
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr && find<void*>("nvrtcCompileProgram") != nullptr) return;
    library_ = nullptr;
  }
}

int Nvrtc::architecture_for(int capability) const {
  const auto count_of = find<int (*)(int*)>("nvrtcGetNumSupportedArchs");
  const auto get = find<int (*)(int*)>("nvrtcGetSupportedArchs");
  int count = 0;
  if (count_of == nullptr || get == nullptr || count_of(&count) != 0 || count <= 0) return capability;
  std::vector<int> known(static_cast<std::size_t>(count));
  if (get(known.data()) != 0) return capability;
  int best = known.front();
  for (const int one : known)
    if (one <= capability) best = std::max(best, one);
  return best;
}

NvrtcResult Nvrtc::compile(const std::string& source, const std::string& name, const std::vector<std::string>& options,
                           const std::vector<std::string>& expressions, const std::vector<std::string>& empty) const {
  using Program = void*;
  const auto create = find<int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
      "nvrtcCreateProgram");
  const auto destroy = find<int (*)(Program*)>("nvrtcDestroyProgram");
  const auto add_name = find<int (*)(Program, const char*)>("nvrtcAddNameExpression");
  const auto lowered = find<int (*)(Program, const char*, const char**)>("nvrtcGetLoweredName");
  const auto run = find<int (*)(Program, int, const char* const*)>("nvrtcCompileProgram");
  NvrtcResult result;
  const auto read = [&](Program program, const char* size_name, const char* get_name) {
    std::size_t size = 0;
    const auto size_of = find<int (*)(Program, std::size_t*)>(size_name);
    const auto get = find<int (*)(Program, char*)>(get_name);
    std::string text;
    if (size_of == nullptr || get == nullptr || size_of(program, &size) != 0) return text;
    text.resize(size);
    if (size > 0 && get(program, text.data()) != 0) text.clear();
    return text;
  };
  int major = 0, minor = 0;
  if (const auto version = find<int (*)(int*, int*)>("nvrtcVersion");
      version != nullptr && version(&major, &minor) == 0)
    result.version = std::to_string(major) + "." + std::to_string(minor);
  std::vector<const char*> texts, names, arguments;
  for (const NamedHeader& header : rtc_headers()) {
    texts.push_back(header.text);
    names.push_back(header.name);
  }
  for (const std::string& header : empty) {
    texts.push_back("");
    names.push_back(header.c_str());
  }
  for (const std::string& option : options)
    arguments.push_back(option.c_str());
  Program program = nullptr;
  if (create(&program, source.c_str(), name.c_str(), static_cast<int>(texts.size()), texts.data(), names.data()) != 0) {
    result.log = "NVRTC makes no program";
    return result;
  }
  for (const std::string& expression : expressions)
    add_name(program, expression.c_str());
  result.compiled = run(program, static_cast<int>(arguments.size()), arguments.data()) == 0;
  result.log = read(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
  while (!result.log.empty() && result.log.back() == '\0')
    result.log.pop_back();
  if (result.compiled) {
    result.ptx = read(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
    while (!result.ptx.empty() && result.ptx.back() == '\0')
      result.ptx.pop_back();
    result.cubin = read(program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
    for (const std::string& expression : expressions)
      if (const char* in_ptx = nullptr; lowered(program, expression.c_str(), &in_ptx) == 0)
        result.names.emplace_back(expression, in_ptx);
  }
  destroy(&program);
  return result;
}

std::vector<SourcePlace> refused_host_functions(const std::string& log) {
  std::vector<SourcePlace> places;
  for (const std::string_view refusal :
       {std::string_view("is considered a host function"), std::string_view("namespace \"std\" has no member"),
        std::string_view("name followed by \"::\" must be a class or namespace name")})
    for (std::size_t at = log.find(refusal); at != std::string::npos; at = log.find(refusal, at + 1)) {
      // "NAME(LINE): error: ...", then the line of the source after two spaces, and a line with "^".
      const std::size_t begin = log.rfind('\n', at) + 1;
      const std::size_t error = log.find("): error", begin);
      const std::size_t open = log.rfind('(', error);
      const std::size_t text = log.find('\n', at);
      const std::size_t marks = text == std::string::npos ? text : log.find('\n', text + 1);
      if (error == std::string::npos || open == std::string::npos || marks == std::string::npos || error > at) continue;
      const std::size_t mark = log.find('^', marks);
      SourcePlace place;
      std::from_chars(log.data() + open + 1, log.data() + error, place.line);
      if (mark != std::string::npos) place.column = static_cast<int>(mark - marks) - 2;
      places.push_back(place);
    }
  return places;
}

std::string missing_header(const std::string& log) {
  constexpr std::string_view words = "open source file \"";
  const std::size_t at = log.find(words);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + words.size(), end = log.find('"', begin);
  const std::string name = log.substr(begin, end - begin);
  return end != std::string::npos && log.find("<" + name + ">", end) != std::string::npos ? name : "";
}

}  // namespace threadscape::warp
