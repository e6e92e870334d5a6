#include "app/session/sketch_file.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "compute/core/resources.h"
#include "compute/core/synthetic.h"
#include "compute/io/input_file.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The shapes of the inputs of a check, for data as the sketch reads it.
std::vector<Shape> check_shapes(const sketch::DataType& reads) {
  struct Extents {
    std::int64_t width, height, depth;
  };
  std::vector<Extents> all;
  if (reads.kind == Kind::none) return {Shape{}};
  if (reads.kind == Kind::sequence) all = {{1, 1, 1}, {2, 1, 1}, {31, 1, 1}, {256, 1, 1}, {1000, 1, 1}, {4096, 1, 1}};
  if (reads.kind == Kind::scalar) all = {{1, 1, 1}};
  // Meshes are random triangles that have so many words.
  if (reads.kind == Kind::mesh) all = {{256, 1, 1}, {1000, 1, 1}, {8000, 1, 1}};
  if (reads.kind == Kind::volume) all = {{1, 1, 1}, {5, 7, 9}, {16, 16, 16}, {33, 9, 4}};
  if (all.empty()) all = {{1, 1, 1}, {5, 7, 1}, {33, 17, 1}, {64, 64, 1}, {130, 67, 1}};
  std::vector<Shape> shapes;
  for (const Extents& one : all)
    shapes.push_back({reads.kind, reads.element, reads.channels, one.width, one.height, one.depth});
  return shapes;
}

std::shared_ptr<sketch::LiveSketch> require_sketch(const AlgorithmInfo& row) {
  auto live = sketch::sketch_of(row);
  if (!live) throw UsageError(std::string(row.name) + " is no sketch");
  return live;
}

/// Returns true if the parameters have a field of that name.
bool has_field(const ParamBox& params, std::string_view name) {
  const std::vector<FieldRef> fields = params.fields();
  return std::ranges::find(fields, name, &FieldRef::name) != fields.end();
}

/// Gives the parameters of the sketch and of the algorithm the values that the check and the head of the sketch state.
void assign(const sketch::Head& head, const SketchCheck& check, ParamBox& own, ParamBox& other) {
  for (const auto& [name, value] : check.sets) {
    const bool of_sketch = has_field(own, name);
    if (of_sketch) own.assign(name, value);
    if (!of_sketch && !has_field(other, name)) own.assign(name, value);  // The call throws and lists the known names.
  }
  const sketch::Names names = sketch::names_of(head, own.as<sketch::SketchParams>().values, {});
  if (head.check_algorithm == check.algorithm || check.algorithm.empty())
    for (const auto& [name, value] : head.check_values)
      other.assign(name, value.starts_with('(') ? std::to_string(sketch::value_of(value, names)) : value);
  for (const auto& [name, value] : check.sets)
    if (has_field(other, name)) other.assign(name, value);
  own.check();
  other.check();
}

std::string read_sketch(const fs::path& file) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The row of a file with which others are compared. It is added once: what the file says later is another version.
const AlgorithmInfo& compared_sketch(const fs::path& file) {
  static std::mutex mutex;
  static std::map<fs::path, std::vector<const AlgorithmInfo*>> rows_of;
  std::string text = read_sketch(file);
  const std::scoped_lock lock(mutex);
  std::vector<const AlgorithmInfo*>& rows = rows_of[fs::absolute(file)];
  for (const AlgorithmInfo* row : rows)
    if (sketch::sketch_of(*row)->sketch().source == text) return *row;
  const auto version = std::make_shared<sketch::LiveSketch>(sketch::make_sketch(std::move(text), file));
  const auto same = std::ranges::find_if(rows, [&](const auto* row) { return sketch::replace_sketch(*row, version); });
  if (same != rows.end()) return **same;
  rows.push_back(&sketch::add_sketch(version));
  return *rows.back();
}

}  // namespace

bool names_sketch(const std::string& name) {
  return sketch::has_sketch_extension(name);
}

const AlgorithmInfo& open_sketch(const fs::path& file) {
  return sketch::add_sketch(sketch::make_sketch(read_sketch(file), file));
}

std::string algorithm_of(const std::string& name) {
  return names_sketch(name) ? std::string(open_sketch(name).name) : name;
}

Observation observe_sketch(const ParamBox& params, std::uint64_t seed, const ObserveRequest& request, HostIn input,
                           const std::stop_token& stop) {
  const auto& of_sketch = params.as<sketch::SketchParams>();
  const sketch::Sketch& what = of_sketch.live->sketch();
  if (what.twin) throw UsageError(what.file.filename().string() + " is a twin for the CPU, which has no kernels");
  const std::shared_ptr<const sketch::Kernels> code =
      request.from_ptx ? nullptr : of_sketch.live->kernels_for(request.gpu->capability, stop);
  LaunchObserver observer(request, stop, code ? code->cubin : std::string_view());
  sketch::MachineRun how;
  how.seed = seed;
  how.stop = stop;
  if (request.run.threads > 0) how.threads = request.run.threads;
  how.launch = [&](const warp::LaunchRequest& launch) { return observer.launch(launch); };
  HostArray output(sketch::result_shape(what, of_sketch.values, sketch::accepted_shape(what, input.shape)));
  if (request.writers) observer.note_writers("out", output.shape(), row_bytes(output.shape(), sketch::row_alignment));
  try {
    of_sketch.live->run(of_sketch.values, input, output.view(), how);
  } catch (const Error&) {
    // A kernel with a fault also leaves values unwritten, which is what the error says.
    Observation found = observer.take(std::move(output));
    if (std::ranges::all_of(found.kernels, [](const ObservedKernel& k) { return k.study.launch.faults.empty(); }))
      throw;
    return found;
  }
  return observer.take(std::move(output));
}

const AlgorithmInfo& checked_algorithm(const sketch::Sketch& sketch, const SketchCheck& check) {
  const std::string& of_head = sketch.head.check_algorithm;
  if (!check.algorithm.empty())
    return names_sketch(check.algorithm) ? compared_sketch(check.algorithm) : find_algorithm(check.algorithm);
  if (of_head.empty())
    throw UsageError(sketch.file.filename().string() +
                     " does not say with what it is compared: add --check ALGORITHM, or a line 'check: ALGORITHM' to "
                     "its head");
  if (names_sketch(of_head)) {
    const fs::path beside = sketch.file.parent_path() / of_head;
    // A copy of an example is compared with what the example is compared with.
    return compared_sketch(fs::exists(beside) ? beside : asset_folder() / "sketches" / of_head);
  }
  return find_algorithm(of_head);
}

RunRequest checked_run(const AlgorithmInfo& algorithm, const SketchCheck& check, ParamBox& own) {
  RunRequest reference{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::serial};
  assign(own.as<sketch::SketchParams>().live->sketch().head, check, own, reference.params);
  return reference;
}

std::optional<RunRequest> reference_run(const AlgorithmInfo& row, const ParamBox& params) {
  const sketch::Head& head = params.as<sketch::SketchParams>().live->sketch().head;
  if (sketch::sketch_of(row) == nullptr || head.check_algorithm.empty() || names_sketch(head.check_algorithm))
    return {};
  ParamBox own = params;
  return checked_run(find_algorithm(head.check_algorithm), {}, own);
}

SketchPair paired(const AlgorithmInfo& row, const SketchCheck& check) {
  const auto live = check.params ? check.params->as<sketch::SketchParams>().live : require_sketch(row);
  SketchPair pair{.algorithm = &checked_algorithm(live->sketch(), check),
                  .own = check.params ? *check.params : row.defaults(),
                  .other = {}};
  pair.other = checked_run(*pair.algorithm, check, pair.own).params;
  return pair;
}

std::vector<SketchCheckRow> check_sketch(const AlgorithmInfo& row, const SketchCheck& check,
                                         const std::stop_token& stop) {
  SketchPair pair = paired(row, check);
  const AlgorithmInfo& algorithm = *pair.algorithm;
  RunRequest own{.algorithm = &row,
                 .params = std::move(pair.own),
                 .backend = Backend::openmp,
                 .variant = check.variant,
                 .threads = check.threads};
  RunRequest reference{.algorithm = &algorithm, .params = std::move(pair.other), .backend = Backend::serial};
  const sketch::Head& head = own.params.as<sketch::SketchParams>().live->sketch().head;
  std::vector<SketchCheckRow> rows;
  std::string refusal;
  Runner runner;
  for (const Shape& shape : check_shapes(head.reads))
    for (std::uint64_t seed = 1; seed <= check.seeds; ++seed) {
      const Shape input = shape;
      try {
        const Shape made = row.output_shape(own.params, input);
        const Shape expected =
            algorithm.output_shape(reference.params, algorithm.input == Kind::none ? Shape{} : input);
        if (made != expected)
          throw UsageError(head.name + " makes " + to_string(made) + ", and " + std::string(algorithm.name) + " " +
                           to_string(expected));
      } catch (const UsageError& error) {
        refusal = error.what();
        break;
      }
      const auto fresh = [&] {
        return input.kind == Kind::none
                   ? HostArray()
                   : make_synthetic(seed % 2 == 0 ? InputPattern::photo : InputPattern::noise, input, seed);
      };
      own.seed = reference.seed = seed;
      HostArray data = fresh();
      const RunResult result = runner.run(own, data.view(), stop);
      data = fresh();
      const RunResult expected = runner.run(reference, data.view(), stop);
      const HostIn a = expected.output.view(), b = result.output.view();
      const std::optional<Mismatch> mismatch = compare(a, b, tolerance_of(reference, input));
      rows.push_back({&algorithm, input, b.shape, seed, mismatch ? mismatch->count : 0, measure_similarity(a, b)});
    }
  if (rows.empty()) throw UsageError(refusal);
  return rows;
}

}  // namespace threadscape::app
