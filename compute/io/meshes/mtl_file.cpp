// MTL: the materials of OBJ files, with the keys for roughness and metalness that later programs have added.

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "compute/io/meshes/model.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

/// The name of a map behind its options; it may contain blanks.
std::string map_name(std::string_view line, Model& model) {
  struct Option {
    std::string_view name;
    int words;     ///< That follow it.
    int most = 0;  ///< Up to so many numbers follow it instead.
  };
  constexpr std::array<Option, 15> options{{{"-blendu", 1},
                                            {"-blendv", 1},
                                            {"-boost", 1},
                                            {"-bm", 1},
                                            {"-cc", 1},
                                            {"-clamp", 1},
                                            {"-colorspace", 1},
                                            {"-imfchan", 1},
                                            {"-mm", 2},
                                            {"-o", 0, 3},
                                            {"-s", 0, 3},
                                            {"-t", 0, 3},
                                            {"-texres", 1},
                                            {"-type", 1},
                                            {"-uvset", 1}}};
  while (line.starts_with('-')) {
    std::string_view rest = line;
    const auto* const option = std::ranges::find(options, take_word(rest), &Option::name);
    if (option == options.end()) break;
    for (int i = 0; i < option->words; ++i)
      (void)take_word(rest);
    bool moves = option->name == "-mm";
    for (int i = 0; i < option->most; ++i) {
      std::string_view after = rest;
      const std::string_view word = take_word(after);
      if (!is_number(word) || after.empty()) break;
      moves |= number_of(word) != (option->name == "-s" ? 1.0 : 0.0);
      rest = after;
    }
    if (moves) model.note("the option '" + std::string(option->name) + "' of its maps is left out");
    line = rest;
  }
  return std::string(trimmed(line));
}

/// A colour of red, green and blue, or of one part that stands for all; none for spectra and CIE XYZ.
std::optional<Float3> colour_in(std::string_view line) {
  Float3 colour;
  std::string_view word = take_word(line);
  if (!is_number(word)) return std::nullopt;
  colour.x = colour.y = colour.z = static_cast<float>(number_of(word));
  if (line.empty()) return colour;
  colour.y = static_cast<float>(number_of(take_word(line)));
  colour.z = line.empty() ? colour.y : static_cast<float>(number_of(take_word(line)));
  return colour;
}

/// A material while its lines are read.
struct Stated {
  MeshMaterial values{.ambient = {}, .shininess = 32.0f};
  std::optional<float> roughness;
  float metalness = 0.0f;

  [[nodiscard]] ModelMaterial made() const {
    MeshMaterial to = values;
    if (roughness) make_glossy(to, *roughness, metalness);
    // Most files state no ambient colour, or black, which would leave everything that faces away from the light black.
    if (to.ambient == Float3{} && to.emission == Float3{})
      to.ambient = {0.25f * to.diffuse.x, 0.25f * to.diffuse.y, 0.25f * to.diffuse.z};
    return {.values = to};
  }
};

void read_statement(std::string_view keyword, std::string_view line, Stated& stated, Model& model) {
  MeshMaterial& to = stated.values;
  const auto set = [&](Float3& colour) {
    if (const auto read = colour_in(line))
      colour = *read;
    else
      model.note("a colour of its materials that is not red, green and blue is left out");
  };
  const auto number = [&] { return static_cast<float>(number_of(take_word(line))); };
  const auto map = [&] { return model.texture_named(map_name(line, model)); };
  if (keyword == "ka")
    set(to.ambient);
  else if (keyword == "kd")
    set(to.diffuse);
  else if (keyword == "ks")
    set(to.specular);
  else if (keyword == "ke")
    set(to.emission);
  else if (keyword == "ns")
    to.shininess = number();
  else if (keyword == "d")
    to.opacity = line.starts_with('-') ? 1.0f : number();  // "-halo" depends on the angle of view.
  else if (keyword == "tr")
    to.opacity = 1.0f - number();
  else if (keyword == "pr")
    stated.roughness = number();
  else if (keyword == "pm")
    stated.metalness = number();
  else if (keyword == "map_kd")
    to.colour_map = map();
  else if (keyword == "map_ks")
    to.specular_map = map();
  else if (keyword == "map_d")
    to.alpha_map = map();
  else if (keyword == "norm" || keyword == "map_kn")
    to.normal_map = map();
}

}  // namespace

void read_mtl(std::string_view text, Model& model, std::map<std::string, std::uint32_t>& names) {
  std::optional<Stated> stated;
  std::string name;
  const auto finish = [&] {
    if (!stated) return;
    names.try_emplace(name, static_cast<std::uint32_t>(model.materials.size()));
    model.materials.push_back(stated->made());
  };
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    std::string keyword(take_word(line));
    if (keyword.starts_with('#')) continue;
    std::ranges::transform(keyword, keyword.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (keyword == "newmtl") {
      finish();
      name = line;
      stated.emplace();
    } else if (stated) {
      try {
        read_statement(keyword, line, *stated, model);
      } catch (const UsageError& error) {
        throw UsageError("line " + std::to_string(number) + ": " + error.what());
      }
    }
  }
  finish();
}

}  // namespace threadscape::io
