#include "compute/sketch/plan.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "compute/core/errors.h"
#include "compute/core/machine.h"

namespace threadscape::sketch {

namespace {

/// Bytes between buffers, so that a small step out of one is none into the next.
constexpr std::size_t gap = 4096;

/// Calls f, and puts the place of a line in front of its errors, unless they have one.
template <class F>
decltype(auto) at_line(const Sketch& sketch, int line, const F& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    const bool has_place = text.starts_with(sketch.file.filename().string() + ":");
    throw UsageError(has_place ? text : place_of(sketch, line) + ": " + text);
  }
}

std::string_view type_name(Element element) {
  constexpr std::string_view names[] = {"unsigned char", "unsigned short", "unsigned", "int",
                                        "long long",     "float",          "double"};
  return names[static_cast<std::size_t>(element)];
}

/// The type of data in sources: "Image<Rgba<float>>".
std::string data_type(const DataType& type, bool reads) {
  std::string element(type_name(type.element));
  if (type.channels == 4) element = "Rgba<" + element + ">";
  if (reads) element = "const " + element;
  switch (type.kind) {
    case Kind::image:
    case Kind::heightfield:
      return "Image<" + element + ">";
    case Kind::volume:
      return "Volume<" + element + ">";
    case Kind::mesh:
      return "Mesh";
    default:
      return "Sequence<" + element + ">";
  }
}

const DataType* find_data(const Head& head, std::string_view name) {
  if (name == "in") return &head.reads;
  if (name == "out") return &head.makes;
  const auto found = std::ranges::find(head.temporaries, name, &Temporary::name);
  return found == head.temporaries.end() ? nullptr : &found->type;
}

/// Appends the bytes of a value, behind padding for its alignment.
template <class T>
void put(Argument& to, const T& value) {
  static_assert(std::is_arithmetic_v<T>);
  to.alignment = std::max(to.alignment, sizeof(T));
  to.bytes.resize((to.bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.bytes.insert(to.bytes.end(), bytes, bytes + sizeof(T));
}

/// A view of a buffer as the structures of assets/sketches/threadscape.h.
Argument view_argument(const Buffer& buffer) {
  Argument argument;
  argument.is_address = true;
  put(argument, static_cast<std::uint64_t>(Arena::base + buffer.offset));
  const Shape& shape = buffer.shape;
  if (shape.kind == Kind::sequence || shape.kind == Kind::scalar) {
    put(argument, shape.width);
    return argument;
  }
  put(argument, static_cast<int>(shape.width));
  put(argument, static_cast<int>(shape.height));
  if (shape.kind == Kind::volume)
    put(argument, static_cast<int>(shape.depth));
  else
    put(argument, static_cast<std::int64_t>(buffer.pitch / shape.pixel_bytes()));
  argument.bytes.resize((argument.bytes.size() + 7) / 8 * 8);
  return argument;
}

/// A mesh as the structure Mesh of assets/sketches/threadscape.h.
Argument mesh_argument(const Buffer& buffer, const MeshHeader& header) {
  Argument argument;
  argument.is_address = true;
  put(argument, static_cast<std::uint64_t>(Arena::base + buffer.offset));
  for (const std::uint32_t number :
       {header.vertices, header.triangles, header.positions_at, header.normals_at, header.triangles_at})
    put(argument, number);
  for (const Float3& corner : {header.low, header.high})
    for (const float number : {corner.x, corner.y, corner.z})
      put(argument, number);
  argument.bytes.resize((argument.bytes.size() + 7) / 8 * 8);
  return argument;
}

Argument value_argument(const Parameter& parameter, const Value& value) {
  Argument argument;
  switch (parameter.type) {
    case Parameter::Type::real:
      put(argument, value.real);
      break;
    case Parameter::Type::flag:
      put(argument, value.flag);
      break;
    case Parameter::Type::list:
      for (const float number : value.list)
        put(argument, number);
      break;
    default:
      put(argument, value.integer);
  }
  return argument;
}

/// The most statements of a head that are executed, so that none takes seconds.
constexpr std::size_t max_steps = 4 * max_calls;

/// Executes the statements of a head.
class Planner {
 public:
  Planner(const Sketch& sketch, const std::vector<Value>& values, const Shape& input, const Shape& result,
          std::uint64_t seed, const MeshHeader* mesh, Plan& plan)
      : sketch_(sketch),
        head_(sketch.head),
        values_(values),
        plan_(plan),
        result_(result),
        mesh_(mesh != nullptr ? *mesh : MeshHeader{.vertices = 1, .triangles = 1}),
        names_(names_of(sketch.head, values, input.kind == Kind::none ? result : input)) {
    names_["seed"] = static_cast<std::int64_t>(seed & 0x7fffffff);
    if (input.kind != Kind::mesh) return;
    names_["vertices"] = mesh_.vertices;
    names_["triangles"] = mesh_.triangles;
  }

  /// Executes the statements from `first` to the end of the loop that contains them, and returns what follows that.
  std::size_t execute(std::size_t first) {
    std::size_t at = first;
    while (at < head_.statements.size() && head_.statements[at].kind != Statement::Kind::end) {
      const Statement& statement = head_.statements[at];
      ++executed_;
      at = at_line(sketch_, statement.line, [&] {
        if (statement.kind == Statement::Kind::loop) return loop(at);
        add_call(at);
        return at + 1;
      });
    }
    return at + 1;
  }

 private:
  std::size_t loop(std::size_t at) {
    const Statement& statement = head_.statements[at];
    std::size_t behind = at + 1;
    for (int depth = 1; depth > 0; ++behind)
      depth += head_.statements[behind].kind == Statement::Kind::loop  ? 1
               : head_.statements[behind].kind == Statement::Kind::end ? -1
                                                                       : 0;
    names_[statement.variable] = value_of(statement.first, names_);
    while (value_of(statement.condition, names_) != 0) {
      if (++executed_ > max_steps)
        throw UsageError("the loop does not end within " + std::to_string(max_steps) + " steps");
      execute(at + 1);
      names_[statement.variable] = value_of(statement.next, names_);
    }
    names_.erase(statement.variable);
    return behind;
  }

  std::uint32_t positive(const std::string& expression, const char* what) {
    const std::int64_t value = value_of(expression, names_);
    if (value < 1 || value > 0x7fffffff)
      throw UsageError(std::string(what) + " '" + expression + "' is " + std::to_string(value) +
                       ": accepted are 1 to 2147483647");
    return static_cast<std::uint32_t>(value);
  }

  void add_call(std::size_t at) {
    const Statement& pass = head_.statements[at];
    if (plan_.calls.size() == max_calls)
      throw UsageError("the head launches more than " + std::to_string(max_calls) + " kernels");
    Call call;
    call.statement = at;
    const std::int64_t extents[] = {result_.width, result_.height, result_.depth};
    std::uint32_t* const block[] = {&call.block.x, &call.block.y, &call.block.z};
    std::uint32_t* const grid[] = {&call.grid.x, &call.grid.y, &call.grid.z};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i < pass.block.size()) *block[i] = positive(pass.block[i], "the block");
      if (!pass.blocks.empty()) {
        if (i < pass.blocks.size()) *grid[i] = positive(pass.blocks[i], "the number of blocks");
        continue;
      }
      std::int64_t threads = pass.threads.empty() ? extents[i] : 1;
      if (i < pass.threads.size()) threads = positive(pass.threads[i], "the number of threads");
      *grid[i] = static_cast<std::uint32_t>(
          std::min<std::int64_t>((threads + *block[i] - 1) / *block[i], std::int64_t{0xffffffff}));
    }
    if (!pass.shared.empty()) {
      const std::int64_t bytes = value_of(pass.shared, names_);
      if (bytes < 0) throw UsageError("shared memory of " + std::to_string(bytes) + " bytes");
      call.shared_bytes = static_cast<std::uint64_t>(bytes);
    }
    for (const std::string& argument : pass.arguments)
      call.arguments.push_back(argument_of(argument));
    plan_.calls.push_back(std::move(call));
  }

  Argument argument_of(const std::string& text) {
    if (text == "in" && head_.reads.kind == Kind::mesh) return mesh_argument(plan_.buffer(text), mesh_);
    if (find_data(head_, text) != nullptr) return view_argument(plan_.buffer(text));
    const auto found = std::ranges::find(head_.parameters, text, &Parameter::name);
    if (found != head_.parameters.end())
      return value_argument(*found, values_[static_cast<std::size_t>(found - head_.parameters.begin())]);
    const std::int64_t value = value_of(text, names_);
    if (value < INT32_MIN || value > INT32_MAX)
      throw UsageError("the argument '" + text + "' is " + std::to_string(value) + ", which is beyond an int");
    Argument argument;
    put(argument, static_cast<int>(value));
    return argument;
  }

  const Sketch& sketch_;
  const Head& head_;
  const std::vector<Value>& values_;
  Plan& plan_;
  const Shape result_;
  const MeshHeader mesh_;
  Names names_;
  std::size_t executed_ = 0;  ///< Statements.
};

}  // namespace

Arena::Arena(std::size_t bytes) : bytes_((bytes + gap - 1) / gap * gap) {
  if (const auto free = free_host_bytes_below(bytes_))
    throw EnvironmentError("a sketch needs " + std::to_string(bytes_ >> 20) + " MiB of memory, and " +
                           std::to_string(*free >> 20) + " MiB are free");
  file_ = memfd_create("threadscape-sketch", MFD_CLOEXEC);
  void* memory = MAP_FAILED;
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes_)) == 0)
    memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    const std::string why = std::strerror(errno);
    if (file_ >= 0) close(file_);
    throw EnvironmentError("no memory for a sketch: " + why);
  }
  data_ = static_cast<std::byte*>(memory);
}

Arena::~Arena() {
  munmap(data_, bytes_);
  close(file_);
}

const Buffer& Plan::buffer(std::string_view name) const {
  const auto found = std::ranges::find(buffers, name, &Buffer::name);
  if (found == buffers.end()) throw std::logic_error("a plan without the buffer " + std::string(name));
  return *found;
}

Plan make_plan(const Sketch& sketch, const std::vector<Value>& values, const Shape& input, const Shape& result,
               std::uint64_t seed, const MeshHeader* mesh) {
  const Head& head = sketch.head;
  Plan plan;
  plan.bytes = gap;
  const auto add = [&](const std::string& name, const Shape& shape, std::size_t pitch, std::size_t bytes) {
    plan.buffers.push_back({.name = name, .shape = shape, .pitch = pitch, .offset = plan.bytes, .bytes = bytes});
    plan.bytes += (bytes + gap - 1) / gap * gap + gap;
  };
  const auto add_data = [&](const std::string& name, const Shape& shape) {
    add(name, shape, row_bytes(shape, row_alignment), array_bytes(shape, row_alignment));
  };
  if (input.kind != Kind::none) add_data("in", input);
  add_data("out", result);
  const Names names = names_of(head, values, input.kind == Kind::none ? result : input);
  for (const Temporary& one : head.temporaries)
    add_data(one.name,
             at_line(sketch, 1, [&] { return shape_of(one.type, names, input.kind == Kind::none ? result : input); }));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (head.parameters[i].constant) add(head.parameters[i].name, {}, 0, values[i].list.size() * sizeof(float));
  Planner(sketch, values, input, result, seed, mesh, plan).execute(0);
  return plan;
}

void poison(const Plan& plan, const Sketch& sketch, const std::vector<Value>& values, const Arena& arena) {
  for (const Buffer& buffer : plan.buffers)
    if (buffer.name != "in") std::memset(arena.data() + buffer.offset, 0xa5, buffer.bytes);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (sketch.head.parameters[i].constant)
      std::memcpy(arena.data() + plan.buffer(sketch.head.parameters[i].name).offset, values[i].list.data(),
                  values[i].list.size() * sizeof(float));
}

std::vector<std::string> argument_types(const Head& head, const Statement& pass) {
  std::vector<std::string> types;
  for (const std::string& text : pass.arguments) {
    const DataType* data = find_data(head, text);
    const auto parameter = std::ranges::find(head.parameters, text, &Parameter::name);
    if (data != nullptr)
      types.push_back(data_type(*data, text == "in"));
    else if (parameter == head.parameters.end() || parameter->type == Parameter::Type::integer ||
             parameter->type == Parameter::Type::choice)
      types.emplace_back("int");
    else if (parameter->type == Parameter::Type::list)
      types.push_back("List<" + std::to_string(parameter->values.size()) + ">");
    else
      types.emplace_back(parameter->type == Parameter::Type::real ? "float" : "bool");
  }
  return types;
}

}  // namespace threadscape::sketch
