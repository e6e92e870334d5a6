#include "compute/warp/machine.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "compute/core/errors.h"
#include "compute/warp/state.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace threadscape::warp {
namespace {

void check(const LaunchRequest& request, const Function* kernel) {
  const auto wrong = [&](const std::string& why) { throw UsageError("kernel " + request.kernel + ": " + why); };
  if (kernel == nullptr) throw UsageError("the program has no kernel " + request.kernel);
  const LaunchLimits& limits = request.options.limits;
  if (request.block.count() == 0 || request.block.x > 1024 || request.block.y > 1024 || request.block.z > 64 ||
      request.block.count() > 1024)
    wrong("a block has 1 to 1024 threads");
  if (request.grid.count() == 0 || request.grid.x > 0x7fffffff || request.grid.y > 65535 || request.grid.z > 65535)
    wrong("a grid has 1 to 2147483647 x 65535 x 65535 blocks");
  const std::uint64_t executed = request.options.blocks.empty() ? request.grid.count() : request.options.blocks.size();
  if (executed > limits.blocks)
    wrong("the grid has more than " + std::to_string(limits.blocks) + " blocks, which is the limit");
  for (const std::uint64_t block : request.options.blocks)
    if (block >= request.grid.count()) wrong("block " + std::to_string(block) + " is not in the grid");
  if (request.arguments.size() < kernel->parameter_bytes)
    wrong("the arguments have " + std::to_string(request.arguments.size()) + " bytes, and the kernel takes " +
          std::to_string(kernel->parameter_bytes));
}

/// Gives the launch the memory that its kernel reaches, and the values of its arguments.
void bind(LaunchState& launch, const Program& program) {
  const LaunchRequest& request = *launch.request;
  launch.memory.assign(request.memory.begin(), request.memory.end());
  std::vector<std::byte*> own;
  for (const Program::Own& variable : program.own) {
    std::vector<std::byte>& bytes = launch.variables.emplace_back(variable.variable->initial);
    bytes.resize(std::max<std::uint64_t>(variable.variable->bytes, 1));
    own.push_back(bytes.data());
    launch.memory.push_back({.name = variable.variable->name,
                             .address = variable.address,
                             .memory = bytes.data(),
                             .bytes = variable.variable->bytes,
                             .read_only = variable.variable->space == Space::Const});
  }
  for (const Program::Reference& reference : program.references)
    std::memcpy(own[reference.own] + reference.at, &reference.value, sizeof reference.value);
  launch.memory.push_back({.name = "the arguments",
                           .address = window::parameters,
                           .memory = const_cast<std::byte*>(request.arguments.data()),
                           .bytes = request.arguments.size(),
                           .read_only = true});
  std::sort(launch.memory.begin(), launch.memory.end(),
            [](const Allocation& a, const Allocation& b) { return a.address < b.address; });
  launch.shared_bytes = request.dynamic_shared_bytes == 0 ? program.shared_bytes
                                                          : program.dynamic_shared_at + request.dynamic_shared_bytes;
  if (launch.shared_bytes > request.options.limits.shared_bytes)
    throw UsageError("kernel " + request.kernel + ": a block needs " + std::to_string(launch.shared_bytes) +
                     " bytes of shared memory, and the limit is " +
                     std::to_string(request.options.limits.shared_bytes));
  launch.local_bytes = program.local_bytes;
  if (launch.local_bytes > request.options.limits.local_bytes)
    throw UsageError("kernel " + request.kernel + ": a thread needs " + std::to_string(launch.local_bytes) +
                     " bytes of local memory");
  launch.constants = program.kernel->constants;
  fill_arguments(*program.kernel, request.arguments, launch.constants);
}

void add_result(const LaunchState& launch, const std::vector<std::unique_ptr<Worker>>& workers, LaunchResult& result) {
  const LaunchRequest& request = *launch.request;
  std::map<std::pair<int, int>, Counts> lines;
  result.instructions.resize(launch.program->kernel->function->instructions.size());
  for (const auto& code : launch.program->codes) {
    if (code == nullptr) continue;
    std::vector<Counts>* all = &result.instructions;
    if (code.get() != launch.program->kernel) {
      all = &result.called.emplace_back(CalledFunction{.function = code->function}).instructions;
      all->resize(code->function->instructions.size());
    }
    for (std::size_t i = 0; i < code->operations.size(); ++i) {
      Counts counts;
      for (const auto& worker : workers) {
        counts += worker->counts[code->first + i];
        counts.ptx_instructions += worker->executed[code->first + i];
        counts.thread_instructions += worker->lanes[code->first + i];
      }
      counts.warp_instructions = counts.ptx_instructions * code->operations[i].weight;
      result.total += counts;
      if (i >= code->function->instructions.size() || !request.options.per_instruction) continue;
      (*all)[i] = counts;
      if (counts == Counts{}) continue;
      const Location& place = request.module->locations[code->function->instructions[i].location];
      lines[{place.file, place.line}] += counts;
    }
    if (!code->approximations.empty())
      result.notes.push_back(
          code->function->name +
          " has approximate instructions, whose last bits may differ from those of a GPU: " + code->approximations);
  }
  for (const auto& worker : workers)
    result.pace.add(worker->pace);
  for (const auto& [place, counts] : lines)
    result.lines.push_back({place.first, place.second, counts});
  std::map<std::pair<Fault::Kind, std::uint32_t>, Fault> faults;
  for (const auto& worker : workers)
    for (const auto& [key, fault] : worker->faults) {
      const auto [found, added] = faults.try_emplace(key, fault);
      if (added) continue;
      const std::uint64_t times = found->second.times + fault.times;
      if (fault.block < found->second.block) found->second = fault;
      found->second.times = times;
    }
  for (const auto& [key, fault] : faults)
    result.faults.push_back(fault);
  std::stable_sort(result.faults.begin(), result.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.block < b.block; });
  if (result.faults.size() > request.options.limits.faults) result.faults.resize(request.options.limits.faults);
}

void run_block(LaunchState& launch, Block& block, std::uint64_t number) {
  block.begin(number);
  block.run(false);
  block.note_pace();
  if (launch.executed.fetch_add(block.executed) + block.executed > launch.request->options.limits.instructions)
    launch.end("the kernel " + launch.request->kernel + " has executed more than " +
               std::to_string(launch.request->options.limits.instructions) + " instructions, which is the limit");
}

/// Blocks that a thread of the host has executed, whose memory others take.
using Spare = std::vector<std::unique_ptr<Block>>;

std::unique_ptr<Block> take_block(Worker& worker, Spare& spare) {
  if (spare.empty()) return std::make_unique<Block>(worker);
  std::unique_ptr<Block> block = std::move(spare.back());
  spare.pop_back();
  return block;
}

/// Executes blocks in turns, each for a while, until all have ended.
void run_together(LaunchState& launch, Worker& worker, const std::vector<std::uint64_t>& numbers, std::size_t at_once,
                  Spare& spare) {
  MemoryObserver* const observer = launch.request->options.observer;
  std::vector<std::unique_ptr<Block>> resident;
  std::vector<bool> ended;
  std::size_t next = 0;
  while ((next < numbers.size() || !resident.empty()) && !launch.stop) {
    while (resident.size() < at_once && next < numbers.size())
      resident.emplace_back(take_block(worker, spare))->begin(numbers[next++]);
    ended.clear();
    for (const std::unique_ptr<Block>& block : resident) {
      const std::uint64_t before = block->executed;
      ended.push_back(!block->run(true));
      if (launch.executed.fetch_add(block->executed - before) > launch.request->options.limits.instructions)
        launch.end("the kernel " + launch.request->kernel + " has executed more instructions than the limit");
    }
    for (bool any = observer != nullptr; any;) {
      any = false;
      for (const std::unique_ptr<Block>& block : resident)
        any |= block->deliver(*observer);
    }
    for (std::size_t i = 0; i < resident.size(); ++i)
      if (ended[i]) resident[i]->note_pace();
    for (std::size_t i = 0; i < resident.size(); ++i)
      if (ended[i]) spare.push_back(std::move(resident[i]));
    std::erase(resident, nullptr);
  }
}

}  // namespace

void LaunchState::end(const std::string& why) {
  const std::lock_guard<std::mutex> guard(lock);
  if (stopped.empty()) stopped = why;
  stop = true;
}

std::string LaunchState::place(std::uint32_t location) const {
  const Location& at = request->module->locations[location];
  if (at.line == 0) return "an unknown line";
  const std::string& file =
      request->module
          ->files[std::min<std::size_t>(static_cast<std::size_t>(at.file), request->module->files.size() - 1)];
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

const Allocation* Worker::find(std::uint32_t operation, std::uint64_t address, std::uint64_t bytes) {
  const std::vector<Allocation>& memory = launch.memory;
  const auto holds = [&](const Allocation& in) {
    return address >= in.address && address - in.address <= in.bytes && bytes <= in.bytes - (address - in.address);
  };
  std::uint32_t& last = allocation[operation];
  if (last < memory.size() && holds(memory[last])) return &memory[last];
  const auto after = std::upper_bound(memory.begin(), memory.end(), address,
                                      [](std::uint64_t address, const Allocation& in) { return address < in.address; });
  if (after == memory.begin() || !holds(after[-1])) return nullptr;
  last = static_cast<std::uint32_t>(after - memory.begin() - 1);
  return &memory[last];
}

std::string Worker::nearest(std::uint64_t address, std::uint64_t bytes) const {
  const Allocation* best = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (const Allocation& in : launch.memory) {
    const std::uint64_t away = address < in.address              ? in.address - address
                               : address - in.address < in.bytes ? 0
                                                                 : address - in.address - in.bytes;
    if (away < distance) best = &in;
    distance = std::min(distance, away);
  }
  if (best == nullptr || distance > std::uint64_t{1} << 32)
    return "an address in no allocation (" + std::to_string(bytes) + " bytes)";
  if (address < best->address)
    return std::to_string(best->address - address) + " bytes before the beginning of \"" + best->name + "\"";
  const std::uint64_t offset = address - best->address;
  return "byte " + std::to_string(offset) + " of \"" + best->name + "\", which has " + std::to_string(best->bytes) +
         " bytes";
}

std::string_view name_of(Fault::Kind kind) {
  constexpr std::string_view names[] = {"out of bounds", "misaligned", "uninitialised", "race",
                                        "barrier",       "deadlock",   "trap",          "read only"};
  return names[static_cast<std::size_t>(kind)];
}

LaunchState::LaunchState(const LaunchRequest& request) : request(&request) {
  const Function* const kernel = request.module->kernel(request.kernel);
  check(request, kernel);
  program = program_of(request, *kernel);
  bind(*this, *program);
}

LaunchResult launch(const LaunchRequest& request) {
  LaunchState state(request);

  const LaunchOptions& options = request.options;
  if (options.global_races) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> allocations;
    for (const Allocation& memory : state.memory)
      allocations.emplace_back(memory.address, memory.read_only ? 0 : memory.bytes);
    state.shadow = std::make_unique<GlobalShadow>();
    state.shadow->begin(allocations);
  }
  const std::uint64_t count = options.blocks.empty() ? request.grid.count() : options.blocks.size();
  if (options.paced_blocks > 0)
    state.paced_every = options.blocks.empty() ? std::max<std::uint64_t>(1, count / options.paced_blocks) : 1;
  const auto number = [&](std::uint64_t i) { return options.blocks.empty() ? i : options.blocks[i]; };
  const bool together = options.cooperative || options.observer != nullptr;
  const int groups = options.cooperative ? 1 : options.observer != nullptr ? std::max(1, options.multiprocessors) : 0;
  int threads = options.threads;
#ifdef _OPENMP
  if (threads <= 0) threads = omp_get_max_threads();
#endif
  threads = static_cast<int>(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(threads, 1)), 1,
                                                       together ? static_cast<std::uint64_t>(groups) : count));
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < threads; ++i)
    workers.push_back(std::make_unique<Worker>(state));
  std::vector<Spare> spare(workers.size());
  std::exception_ptr failure;
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard<std::mutex> guard(state.lock);
      failure = std::current_exception();
      state.stop = true;
    }
  };
  const auto steps = static_cast<std::int64_t>(together ? static_cast<std::uint64_t>(groups) : count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < steps; ++i) {
#ifdef _OPENMP
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
#else
    const std::size_t thread = 0;
#endif
    Worker& worker = *workers[thread];
    if (state.stop) continue;
    guarded([&] {
      if (!together) {
        std::unique_ptr<Block> block = take_block(worker, spare[thread]);
        run_block(state, *block, number(static_cast<std::uint64_t>(i)));
        spare[thread].push_back(std::move(block));
        return;
      }
      worker.multiprocessor = static_cast<int>(i);
      std::vector<std::uint64_t> mine;
      for (std::uint64_t k = static_cast<std::uint64_t>(i); k < count; k += static_cast<std::uint64_t>(groups))
        mine.push_back(number(k));
      run_together(state, worker, mine,
                   options.cooperative ? mine.size() : static_cast<std::size_t>(std::max(1, options.resident_blocks)),
                   spare[thread]);
    });
  }
  if (failure) std::rethrow_exception(failure);
  LaunchResult result;
  result.blocks = request.grid.count();
  result.executed = count;
  result.stopped = state.stopped;
  if (state.shadow != nullptr && state.shadow->full())
    result.notes.emplace_back("races were looked for in a part of global memory alone, for want of memory");
  add_result(state, workers, result);
  return result;
}

std::vector<std::uint64_t> sample_blocks(Extent grid, std::uint64_t count) {
  if (grid.count() <= count) return {};
  std::vector<std::uint64_t> chosen;
  const auto add = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    const std::uint64_t block = (z * grid.y + y) * grid.x + x;
    if (chosen.size() < count && std::find(chosen.begin(), chosen.end(), block) == chosen.end())
      chosen.push_back(block);
  };
  const std::uint64_t right = grid.x - 1, bottom = grid.y - 1, back = grid.z - 1;
  for (int corner = 0; corner < 8; ++corner)
    add((corner & 1) != 0 ? right : 0, (corner & 2) != 0 ? bottom : 0, (corner & 4) != 0 ? back : 0);
  add(grid.x / 2, 0, 0);
  add(grid.x / 2, bottom, back);
  add(0, grid.y / 2, back / 2);
  add(right, grid.y / 2, back / 2);
  // A linear congruential generator with the constants of Knuth's MMIX.
  std::uint64_t state = 1;
  for (std::uint64_t tries = 0; chosen.size() < count && tries < 64 * count; ++tries) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t block = (state >> 16) % grid.count();
    add(block % grid.x, block / grid.x % grid.y, block / grid.x / grid.y);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace threadscape::warp
