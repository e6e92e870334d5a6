#include "compute/sketch/sketch_algorithm.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "compute/core/convert.h"
#include "compute/core/errors.h"
#include "compute/core/mesh.h"
#include "compute/kernel/border.h"

namespace threadscape::sketch {

namespace {

/// Calls f with a pixel of the type of numbers that a picture has.
template <class F>
void with_numbers(Element element, const F& f) {
  if (element == Element::u8) return f(std::uint8_t{});
  if (element == Element::u16) return f(std::uint16_t{});
  f(float{});
}

/// A result that is a number as a line of text: floats with the digits that make them again.
std::string number_line(const ParamBox&, const HostIn&, const HostIn& result) {
  const auto as_text = [&]<class T>(T value) {
    std::memcpy(&value, result.data, sizeof value);
    std::array<char, 32> text{};
    return std::string(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr) + "\n";
  };
  switch (result.shape.element) {
    case Element::u8:
      return as_text(std::uint8_t{});
    case Element::u16:
      return as_text(std::uint16_t{});
    case Element::u32:
      return as_text(std::uint32_t{});
    case Element::i32:
      return as_text(std::int32_t{});
    case Element::i64:
      return as_text(std::int64_t{});
    case Element::f32:
      return as_text(0.0f);
    case Element::f64:
      return as_text(0.0);
  }
  return {};
}

/// Copies a picture whose numbers are those of `to` already: colours become their luma, grey becomes opaque colours.
void copy_colours(HostIn from, HostOut to) {
  if (from.shape == to.shape) return copy(from, to);
  with_numbers(to.shape.element, [&](auto number) {
    using T = decltype(number);
    using Colour = RgbaOf<T>;
    const T opaque = std::is_floating_point_v<T> ? T{1} : std::numeric_limits<T>::max();
    for (std::int64_t y = 0; y < to.shape.height; ++y) {
      const std::byte* const row = from.data + static_cast<std::size_t>(y) * from.pitch;
      std::byte* const target = to.data + static_cast<std::size_t>(y) * to.pitch;
      for (std::int64_t x = 0; x < to.shape.width; ++x)
        if (from.shape.channels == 4) {
          reinterpret_cast<T*>(target)[x] = luma(reinterpret_cast<const Colour*>(row)[x]);
        } else {
          T* const colour = reinterpret_cast<T*>(target) + 4 * x;
          colour[0] = colour[1] = colour[2] = reinterpret_cast<const T*>(row)[x];
          colour[3] = opaque;
        }
    }
  });
}

/// The header of an input that is a mesh, which is checked; null for others.
const MeshHeader* mesh_header(HostIn input) {
  if (input.shape.kind != Kind::mesh) return nullptr;
  check_mesh(input);
  return &MeshView(input).header();
}

const SketchParams& params_of(const ParamBox& box) {
  return box.as<SketchParams>();
}

FieldRef field_of(const Parameter& parameter, const std::vector<std::string_view>& choices, Value& value) {
  FieldRef field{.name = parameter.name, .unit = "", .help = parameter.help, .value = BoolValue{&value.flag}};
  switch (parameter.type) {
    case Parameter::Type::integer: {
      const int hi = static_cast<int>(parameter.hi);
      field.value = IntValue{&value.integer, static_cast<int>(parameter.lo), hi, 1, hi};
      break;
    }
    case Parameter::Type::real:
      field.value = FloatValue{&value.real, static_cast<float>(parameter.lo), static_cast<float>(parameter.hi)};
      break;
    case Parameter::Type::choice:
      field.value = ChoiceValue{choices, [&value] { return value.integer; }, [&value](int i) { value.integer = i; }};
      break;
    case Parameter::Type::list:
      field.value =
          GridValue{&value.list, &value.side, static_cast<float>(parameter.lo), static_cast<float>(parameter.hi)};
      break;
    case Parameter::Type::flag:
      break;
  }
  return field;
}

/// The versions of a row's sketch. The first one keeps the texts of the row.
struct Versions {
  Versions(std::string of_row, std::shared_ptr<LiveSketch> sketch)
      : name(std::move(of_row)), first(std::move(sketch)), latest(first) {}
  const std::string name;
  std::string summary;
  const std::shared_ptr<LiveSketch> first;
  std::mutex changing;
  std::shared_ptr<LiveSketch> latest;
};

/// The function of a row that makes the default parameters of its latest version.
struct DefaultsOf {
  std::shared_ptr<Versions> versions;
  ParamBox operator()() const {
    const std::scoped_lock lock(versions->changing);
    return ParamBox::of(SketchParams{versions->latest, default_values(versions->latest->sketch().head)});
  }
};

/// Returns true if large inputs may be computed in parts.
bool has_halo(const Head& head) {
  return !head.halo.empty() && head.reads.kind == head.makes.kind && head.makes.size.empty();
}

/// The ways of running kernels on `openmp` where a driver of GPUs is installed.
constexpr std::array<Variant, 2> ways{
    Variant{"gpu", "on the first GPU, in a process of its own; without a GPU as `machine`"},
    Variant{"machine", "executed by the CPU, warp by warp"},
};

/// The compute capability that the machine of warps executes kernels for, times ten.
constexpr int machine_capability = 90;

/// The first values along each axis, for a run that takes little time; all of a mesh.
HostArray part_of(HostIn all) {
  Shape shape = all.shape;
  const bool line = shape.height * shape.depth == 1;
  if (shape.kind != Kind::mesh) shape.width = std::min<std::int64_t>(shape.width, line ? 4096 : 100);
  shape.height = std::min<std::int64_t>(shape.height, shape.depth > 1 ? 16 : 100);
  shape.depth = std::min<std::int64_t>(shape.depth, 16);
  HostArray part(shape);
  const HostOut to = part.view();
  for (std::int64_t z = 0; z < shape.depth; ++z)
    for (std::int64_t y = 0; y < shape.height; ++y)
      std::memcpy(to.data + static_cast<std::size_t>(z * shape.height + y) * to.pitch,
                  all.data + static_cast<std::size_t>(z * all.shape.height + y) * all.pitch,
                  static_cast<std::size_t>(shape.width) * shape.pixel_bytes());
  return part;
}

void run_row(const ParamBox& box, const HostRun& run) {
  const SketchParams& params = params_of(box);
  MachineRun how;
  how.threads = run.threads;
  how.seed = run.seed;
  how.stop = run.stop;
  params.live->run(params.values, run.in, run.out, how);
}

/// Runs a row on the GPU, or as run_row() does where there is none. A driver may be installed without a GPU, or be kept
/// from showing one.
void run_fastest(const ParamBox& box, const HostRun& run) {
  const SketchParams& params = params_of(box);
  if (run.variant > 0 || params.live->sketch().twin || gpu().name.empty()) return run_row(box, run);
  (void)params.live->run_on_gpu(params.values, run.in, run.out, run.seed, {.stop = run.stop});
}

}  // namespace

void copy_input(HostIn input, HostOut to) {
  if (input.shape.element == to.shape.element) return copy_colours(input, to);
  const HostArray numbers = convert_picture(input, to.shape.element);
  copy_colours(numbers.view(), to);
}

std::shared_ptr<const Kernels> LiveSketch::kernels(const std::stop_token& stop) {
  const std::scoped_lock lock(compiling_);
  if (!kernels_) kernels_ = compile_kernels(sketch_, stop, machine_capability, /*machine_code=*/false);
  return kernels_;
}

std::shared_ptr<const Kernels> LiveSketch::kernels_for(int capability, const std::stop_token& stop) {
  const std::scoped_lock lock(compiling_);
  std::shared_ptr<const Kernels>& found = with_code_[capability];
  if (!found) found = compile_kernels(sketch_, stop, capability);
  return found;
}

std::shared_ptr<const Twin> LiveSketch::twin(const std::stop_token& stop) {
  const std::scoped_lock lock(compiling_);
  if (!twin_) twin_ = compile_twin(sketch_, stop);
  return twin_;
}

void LiveSketch::run(const std::vector<Value>& values, HostIn input, HostOut output, const MachineRun& how) {
  const Shape accepted = accepted_shape(sketch_, input.shape);
  const Plan plan = make_plan(sketch_, values, accepted, output.shape, how.seed, mesh_header(input));
  const Arena arena(plan.bytes);
  if (accepted.kind != Kind::none) copy_input(input, plan.buffer("in").view(arena));
  if (sketch_.twin)
    run_twin(sketch_, *twin(how.stop), values, plan, arena, {.threads = how.threads, .stop = how.stop});
  else
    run_on_machine(sketch_, *kernels(how.stop), values, plan, arena, how);
  copy(plan.buffer("out").view(arena), output);
}

std::shared_ptr<const Kernels> LiveSketch::gpu_kernels(const std::stop_token& stop) {
  if (gpu().name.empty()) throw EnvironmentError("no GPU for " + sketch_.head.name + ": " + gpu().obstacle);
  // Later GPUs run PTX for earlier ones.
  if (gpu().capability >= machine_capability) return kernels(stop);
  const std::scoped_lock lock(compiling_);
  if (!for_gpu_) for_gpu_ = compile_kernels(sketch_, stop, gpu().capability, /*machine_code=*/false);
  return for_gpu_;
}

bool LiveSketch::was_tried(const std::vector<Value>& values) {
  const std::scoped_lock lock(compiling_);
  return tried_ == values;
}

std::vector<double> LiveSketch::run_on_gpu(const std::vector<Value>& values, HostIn input, HostOut output,
                                           std::uint64_t seed, const GpuRun& how) {
  const std::shared_ptr<const Kernels> on_gpu = gpu_kernels(how.stop);
  const Shape accepted = accepted_shape(sketch_, input.shape);
  const Plan plan = make_plan(sketch_, values, accepted, output.shape, seed, mesh_header(input));
  const Arena arena(plan.bytes);
  if (accepted.kind != Kind::none) copy_input(input, plan.buffer("in").view(arena));
  if (!was_tried(values)) {
    MachineRun machine;
    machine.seed = seed;
    machine.stop = how.stop;
    const HostArray part = accepted.kind == Kind::none ? HostArray() : part_of(plan.buffer("in").view(arena));
    HostArray result;
    try {
      result = HostArray(result_shape(sketch_, values, part.shape()));
      (void)make_plan(sketch_, values, part.shape(), result.shape(), seed);
      run(values, part.view(), result.view(), machine);
    } catch (const UsageError&) {  // The sketch takes no part of the input.
      run(values, input, output, machine);
    }
    const std::scoped_lock lock(compiling_);
    tried_ = values;
  }
  std::vector<double> times = sketch::run_on_gpu(sketch_, *on_gpu, values, plan, arena, how);
  copy(plan.buffer("out").view(arena), output);
  return times;
}

std::vector<FieldRef> SketchParams::bound_fields() {
  std::vector<FieldRef> fields;
  const Sketch& sketch = live->sketch();
  for (std::size_t i = 0; i < values.size(); ++i)
    fields.push_back(field_of(sketch.head.parameters[i], sketch.choices[i], values[i]));
  return fields;
}

std::string SketchParams::problem() const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = live->sketch().head.parameters[i];
    if (parameter.type == Parameter::Type::list && values[i].list.size() != parameter.values.size())
      return "parameter '" + parameter.name + "' has " + std::to_string(values[i].list.size()) + " values, not " +
             std::to_string(parameter.values.size());
  }
  return "";
}

const AlgorithmInfo& add_sketch(std::shared_ptr<LiveSketch> sketch) {
  const auto taken = [](const std::string& name) {
    return std::ranges::find(algorithms(), name, &AlgorithmInfo::name) != algorithms().end();
  };
  const std::string wanted = "sketch_" + sketch->sketch().head.name;
  std::string name = wanted;
  for (int number = 2; taken(name); ++number)
    name = wanted + "_" + std::to_string(number);
  const auto versions = std::make_shared<Versions>(std::move(name), std::move(sketch));
  const Head& head = versions->first->sketch().head;
  AlgorithmInfo row;
  // The function of the defaults keeps the first version, and with it these texts.
  row.name = versions->name;
  row.title = head.title;
  versions->summary = versions->first->sketch().file.filename().string() + ", a sketch";
  row.summary = versions->summary;
  row.source = "a sketch";
  row.group = "Sketches";
  row.input = head.reads.kind;
  row.output = head.makes.kind;
  row.variants = {single_variant, single_variant, single_variant};
  if (!versions->first->sketch().twin && has_gpu_driver()) row.variants[1] = ways;
  row.defaults = DefaultsOf{versions};
  row.output_shape = [](const ParamBox& box, const Shape& input) {
    return result_shape(params_of(box).live->sketch(), params_of(box).values, input);
  };
  row.scratch_bytes = [](const ParamBox&, const Shape&, Backend, int) { return std::size_t{0}; };
  row.serial = run_row;
  row.openmp = run_fastest;
  if (row.output == Kind::scalar) row.report = ReportFacet{number_line};
  if (has_halo(head))
    row.halo = HaloFacet{[](const ParamBox& box, const Shape& input, const Region& output) {
      const SketchParams& params = params_of(box);
      const Head& of = params.live->sketch().head;
      const std::int64_t halo =
          std::clamp<std::int64_t>(value_of(of.halo, names_of(of, params.values, input)), 0, 1 << 30);
      Region needed = reached(reach_around(static_cast<int>(halo), Border::clamp), input, output);
      if (input.kind != Kind::volume) return needed;
      // A kernel may read the layers around a place of a volume as well.
      needed.z = std::max<std::int64_t>(output.z - halo, 0);
      needed.depth = std::min(output.z + output.depth + halo, input.depth) - needed.z;
      return needed;
    }};
  return add_algorithm(row);
}

std::shared_ptr<LiveSketch> sketch_of(const AlgorithmInfo& row) {
  if (row.serial != run_row) return nullptr;
  return params_of(row.defaults()).live;
}

bool has_sketched_kernels(const AlgorithmInfo& row) {
  const std::shared_ptr<LiveSketch> live = sketch_of(row);
  return live && !live->sketch().twin;
}

bool runs_on_gpu(const AlgorithmInfo& row, Backend backend, int variant) {
  return backend == Backend::openmp && variant == 0 && row.variants[1].size() > 1 && has_sketched_kernels(row);
}

bool replace_sketch(const AlgorithmInfo& row, const std::shared_ptr<LiveSketch>& version) {
  const DefaultsOf* const defaults = row.serial == run_row ? row.defaults.target<DefaultsOf>() : nullptr;
  if (defaults == nullptr) return false;
  const Head& head = version->sketch().head;
  const Head& first = defaults->versions->first->sketch().head;
  if (head.name != first.name || head.title != first.title || head.reads.kind != row.input ||
      head.makes.kind != row.output || has_halo(head) != row.halo.has_value())
    return false;
  const std::scoped_lock lock(defaults->versions->changing);
  defaults->versions->latest = version;
  return true;
}

ParamBox adopted(const std::shared_ptr<LiveSketch>& version, const ParamBox& old) {
  ParamBox box = ParamBox::of(SketchParams{version, default_values(version->sketch().head)});
  const SketchParams& before = params_of(old);
  const std::vector<Parameter>& now = version->sketch().head.parameters;
  const std::vector<Parameter>& then = before.live->sketch().head.parameters;
  std::vector<Value>& values = box.as<SketchParams>().values;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto same = std::ranges::find(then, now[i].name, &Parameter::name);
    if (same == then.end() || same->type != now[i].type || same->choices != now[i].choices) continue;
    const Value& value = before.values[static_cast<std::size_t>(same - then.begin())];
    const double number = now[i].type == Parameter::Type::integer ? value.integer : value.real;
    const bool ranged = now[i].type == Parameter::Type::integer || now[i].type == Parameter::Type::real;
    if (ranged && (number < now[i].lo || number > now[i].hi)) continue;
    if (now[i].type == Parameter::Type::list && value.list.size() != now[i].values.size()) continue;
    values[i] = value;
  }
  return box;
}

}  // namespace threadscape::sketch
