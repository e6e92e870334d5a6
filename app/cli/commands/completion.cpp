#include "app/cli/commands/completion.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <span>

#include "app/bench/bench_suite.h"
#include "app/cli/commands/completion_scripts.h"
#include "app/cli/parser.h"
#include "app/scenes/scene_set.h"
#include "app/shell/window.h"
#include "compute/core/suggestion.h"
#include "compute/registry/registry.h"
#include "compute/registry/step_kinds.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

using Candidate = Completions::Candidate;
using Words = std::span<const std::string>;

struct Script {
  std::string_view shell, text;
};
constexpr std::array scripts{Script{"bash", bash_completion}, Script{"zsh", zsh_completion},
                             Script{"fish", fish_completion}};

/// What is known about the command line when a word is completed.
struct Context {
  const CLI::App* command = nullptr;         ///< The chosen command, or the program itself.
  const AlgorithmInfo* algorithm = nullptr;  ///< The algorithm whose options are completed; null if there is none.
  std::optional<Backend> backend;            ///< The backend that the words choose.
  const CLI::Option* value_of = nullptr;     ///< The option whose value is completed; null if none is.
  std::size_t positionals = 0;               ///< Number of words before the last one that belong to no option.
};

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  if (word.size() < 2 || word.front() != '-') return nullptr;
  return command.get_option_no_throw(word);
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

const AlgorithmInfo* algorithm_named(std::string_view name) {
  const auto found = std::ranges::find(algorithms(), name, &AlgorithmInfo::name);
  return found == algorithms().end() ? nullptr : &*found;
}

const CLI::App& command_of(const CLI::App& program, Words words) {
  if (words.size() < 2) return program;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == words.front()) return *command;
  return program;
}

Context context_of(const CLI::App& program, Words words) {
  Context context{.command = &command_of(program, words)};
  Words before = words.first(words.size() - 1);
  if (context.command != &program) before = before.subspan(1);
  for (const std::string& word : before) {
    if (context.value_of != nullptr) {
      const bool names_backend = context.value_of->check_name("--backend");
      if (context.value_of->check_name("--algorithm") || context.value_of->check_name("--then"))
        context.algorithm = algorithm_named(word);
      for (const Backend backend : backends)
        if (names_backend && word == name_of(backend)) context.backend = backend;
      context.value_of = nullptr;
      continue;
    }
    if (const CLI::Option* option = find_option(*context.command, word)) {
      if (takes_value(*option)) context.value_of = option;
      continue;
    }
    ++context.positionals;
    if (context.algorithm == nullptr) context.algorithm = algorithm_named(word);
  }
  return context;
}

template <class Names>
std::vector<Candidate> named(const Names& names) {
  std::vector<Candidate> all;
  for (const auto& name : names)
    all.push_back({std::string(name), ""});
  return all;
}

std::vector<Candidate> algorithm_candidates() {
  std::vector<Candidate> all;
  for (const AlgorithmInfo& info : algorithms())
    all.push_back({std::string(info.name), std::string(info.summary)});
  return all;
}

/// The algorithms that take what the algorithm of the context makes.
std::vector<Candidate> next_step_candidates(const Context& context) {
  if (context.algorithm == nullptr) return algorithm_candidates();
  std::vector<Candidate> all;
  for (const AlgorithmInfo* info : algorithms_that_take(context.algorithm->output))
    all.push_back({std::string(info->name), std::string(info->summary)});
  return all;
}

/// NAME= for every parameter, or NAME=VALUE for the values of the parameter that the word names.
std::vector<Candidate> assignment_candidates(const ParamBox& params, const std::string& word) {
  std::vector<Candidate> all;
  const std::size_t equals = word.find('=');
  for (const FieldRef& field : params.fields()) {
    const std::string name(field.name);
    if (equals == std::string::npos) {
      all.push_back({name + "=", help_of(field) + " (" + accepted(field) + ")"});
      continue;
    }
    if (word.substr(0, equals) != name) continue;
    if (const auto* choice = std::get_if<ChoiceValue>(&field.value))
      for (const std::string_view value : choice->choices)
        all.push_back({name + "=" + std::string(value), ""});
    else if (std::holds_alternative<BoolValue>(field.value))
      all = {{name + "=true", ""}, {name + "=false", ""}};
    else
      all.push_back({name + "=" + to_text(field), "the default; accepted are " + accepted(field)});
  }
  return all;
}

std::vector<Candidate> variant_candidates(const Context& context) {
  std::vector<Candidate> all;
  if (context.algorithm == nullptr) return all;
  for (const Backend backend : backends) {
    if (context.backend.value_or(Backend::openmp) != backend) continue;
    for (const Variant& variant : context.algorithm->variants_of(backend))
      all.push_back({std::string(variant.name), std::string(variant.help)});
  }
  return all;
}

std::vector<Candidate> scene_candidates(const Context& context) {
  std::vector<Candidate> all;
  for (const SceneType& type : scene_types())
    if (context.algorithm == nullptr || type.can_show(*context.algorithm)) all.push_back({std::string(type.name), ""});
  return all;
}

std::vector<Candidate> show_candidates(const Context& context) {
  std::vector<Candidate> all;
  for (const SceneType& type : scene_types())
    if (context.algorithm == nullptr || type.can_show(*context.algorithm))
      for (const std::string_view show : type.shows)
        all.push_back({std::string(show), std::string(type.name)});
  return all;
}

std::vector<Candidate> view_candidates(const Context& context, const std::string& word) {
  std::vector<Candidate> all;
  for (const SceneType& type : scene_types())
    if (type.settings != nullptr && (context.algorithm == nullptr || type.can_show(*context.algorithm)))
      std::ranges::move(assignment_candidates(type.settings(), word), std::back_inserter(all));
  return all;
}

std::vector<Candidate> set_candidates(const Context& context, const std::string& word) {
  return context.algorithm == nullptr ? std::vector<Candidate>{}
                                      : assignment_candidates(context.algorithm->defaults(), word);
}

/// The values of the options that accept a list of names.
std::vector<Candidate> value_candidates(const CLI::Option& option, const Context& context, const std::string& word) {
  const auto is = [&](const char* name) { return option.check_name(name); };
  if (is("--backend") || is("--backends")) {
    std::vector<Candidate> all;
    for (const Backend backend : backends)
      all.push_back({std::string(name_of(backend)), ""});
    return all;
  }
  if (is("--set")) return set_candidates(context, word);
  if (is("--view")) return view_candidates(context, word);
  if (is("--variant") || is("--variants")) return variant_candidates(context);
  if (is("--algorithm")) return algorithm_candidates();
  if (is("--then")) return next_step_candidates(context);
  if (is("--scene")) return scene_candidates(context);
  if (is("--show")) return show_candidates(context);
  if (is("--suite")) {
    std::vector<std::string> names = suite_names();
    names.emplace_back(all_suites);
    return named(names);
  }
  if (is("--theme")) return named(std::array{"dark", "light"});
  if (is("--depth")) return named(std::array{"8", "16", "float"});
  if (is("--route")) return named(std::array{"interop", "staged", "host"});
  if (is("--panel")) return named(panel_names());
  if (is("--kind")) return named(std::array{"image", "heightfield", "volume", "sequence"});
  if (is("--numbers")) return named(std::array{"u8", "u16", "u32", "i32", "i64", "f32", "f64"});
  return {};
}

std::vector<Candidate> option_candidates(const CLI::App& command) {
  std::vector<Candidate> all;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames())
      all.push_back({"--" + name, option->get_description()});
  return all;
}

std::vector<Candidate> command_candidates(const CLI::App& program) {
  std::vector<Candidate> all;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    all.push_back({command->get_name(), command->get_description()});
  return all;
}

/// The positional that the next word belongs to; null if the command takes no more.
const CLI::Option* next_positional(const Context& context) {
  std::size_t before = 0;
  for (const CLI::Option* option : context.command->get_options()) {
    if (!option->get_positional()) continue;
    const bool takes_many = option->get_expected_max() > 1;
    if (takes_many || before++ == context.positionals) return option;
  }
  return nullptr;
}

bool is_file_option(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type == "FILE" || type == "FOLDER" || type == "PICTURE";
}

}  // namespace

Completions complete(const std::vector<std::string>& words) {
  const Parser parser;
  const CLI::App& program = parser.app();
  const std::vector<std::string> typed = words.empty() ? std::vector<std::string>{""} : words;
  const std::string& word = typed.back();
  const Context context = context_of(program, typed);

  Completions found;
  if (context.value_of != nullptr) {
    found.candidates = value_candidates(*context.value_of, context, word);
    found.files = is_file_option(*context.value_of) || context.value_of->check_name("--suite");
  } else if (word.starts_with("-")) {
    found.candidates = option_candidates(*context.command);
  } else if (const CLI::Option* positional = next_positional(context)) {
    const std::string& name = positional->get_single_name();
    if (name == "algorithm" || name == "algorithms") {
      found.candidates = algorithm_candidates();
      found.files = is_file_option(*positional);
    } else if (name == "shell")
      for (const Script& script : scripts)
        found.candidates.push_back({std::string(script.shell), ""});
    else
      found.files = true;
  }
  if (context.command == &program && typed.size() == 1 && !word.starts_with("-"))
    std::ranges::move(command_candidates(program), std::back_inserter(found.candidates));
  std::erase_if(found.candidates, [&](const Candidate& candidate) { return !candidate.word.starts_with(word); });
  return found;
}

int print_completions(const std::vector<std::string>& words) {
  const Completions found = complete(words);
  if (found.files) std::puts(":files");
  for (const Candidate& candidate : found.candidates)
    std::printf("%s\t%s\n", candidate.word.c_str(), candidate.help.c_str());
  return 0;
}

CommandAction set_up_completion(CLI::App& app, FindDevices /*unused*/) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")->required();
  app.footer(
      "Examples:\n"
      "  threadscape completion bash > ~/.local/share/bash-completion/completions/threadscape\n"
      "  threadscape completion zsh > ~/.zfunc/_threadscape    (with ~/.zfunc in $fpath)\n"
      "  threadscape completion fish > ~/.config/fish/completions/threadscape.fish");
  return [shell] {
    std::vector<std::string_view> names;
    for (const Script& script : scripts) {
      names.push_back(script.shell);
      if (script.shell != *shell) continue;
      std::fwrite(script.text.data(), 1, script.text.size(), stdout);
      return 0;
    }
    throw UsageError("shell '" + *shell + "' is unknown: " + suggestion_and_list(*shell, names));
  };
}

}  // namespace threadscape::app
