#include "compute/warp/machine_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "compute/warp/dominators.h"
#include "compute/warp/ptx_flow.h"

namespace threadscape::warp {

namespace {

using Op = MachineOperation;

constexpr std::uint32_t nowhere = MachineInstruction::nowhere;

bool is_kept(Op operation) {
  constexpr std::array kept{Op::fmul, Op::fadd, Op::ffma,  Op::dmul, Op::dadd,  Op::dfma, Op::ldsm, Op::bar,
                            Op::tex,  Op::ld,   Op::ldg,   Op::ldl,  Op::lds,   Op::st,   Op::stg,  Op::stl,
                            Op::sts,  Op::shfl, Op::atoms, Op::red,  Op::match, Op::atomg};
  return std::ranges::find(kept, operation) != kept.end();
}

/// The blocks of machine code, and how often each was executed.
class MachineFlow {
 public:
  MachineFlow(const KernelCode& code, const PtxFlow& ptx) : code_(code.instructions), ptx_(ptx) {
    find_blocks(code.table_branches);
    find_neighbours(code.table_branches);
    collect();
    for (std::uint32_t k = 0; k < blocks_.size(); ++k)
      blocks_[k].visits = visits_of(k);
    bound();
    add_calls();
  }

  [[nodiscard]] MachineCounts counts(std::size_t ptx_instructions) const {
    MachineCounts counts;
    counts.issued.resize(ptx_instructions);
    double threads = 0;
    for (const Block& block : blocks_)
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        counts.issued[ptx_.of_line(code_[i].ptx_line).value_or(0)] += block.visits.warps;
        counts.total += block.visits.warps;
        counts.cycles.add(code_[i].operation, block.visits.warps);
        threads += block.visits.threads;
      }
    counts.lanes = counts.total > 0 ? threads / counts.total : 0;
    counts.certain = is_certain();
    return counts;
  }
  /// The instructions of PTX that have become branches, once each.
  [[nodiscard]] std::set<std::uint32_t> branches() const {
    std::set<std::uint32_t> all;
    for (const MachineInstruction& one : code_)
      if (one.operation == Op::bra && !one.always && !one.diverged)
        if (const auto i = ptx_.of_line(one.ptx_line)) all.insert(*i);
    return all;
  }

 private:
  struct Block {
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> to, from;
    bool rare = false;  ///< Only threads that have come apart, or odd operands, get there, or calls do.
    bool sure = false;  ///< It has an instruction that belongs there.
    std::map<std::uint32_t, int> votes;  ///< By the block of PTX that its instructions are from.
    Visits visits;
  };
  /// The copies of a block of PTX that a block of machine code has.
  struct Copies {
    int count = 0;
    bool guarded = false;
    std::set<std::uint32_t> of;  ///< The instructions of PTX that are kept there.
  };
  static constexpr int belongs = 8;  ///< The votes of an instruction that stays in its block.
  using Sharers = std::vector<std::pair<std::uint32_t, const Copies*>>;

  void find_blocks(const std::vector<TableBranch>& tables) {
    const auto count = static_cast<std::uint32_t>(code_.size());
    std::vector<bool> begins(count + 1);
    begins[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const MachineInstruction& one = code_[i];
      if ((one.operation == Op::bra || one.operation == Op::call) && one.target != nowhere) begins[one.target] = true;
      if (ends_block(one.operation)) begins[i + 1] = true;
    }
    for (const TableBranch& branch : tables)
      begins[branch.to] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (begins[i]) blocks_.emplace_back().begin = i;
      blocks_.back().end = i + 1;
      block_.push_back(static_cast<std::uint32_t>(blocks_.size() - 1));
    }
  }
  static bool ends_block(Op operation) {
    return operation == Op::bra || operation == Op::brx || operation == Op::exit || operation == Op::ret ||
           operation == Op::call || operation == Op::jmp || operation == Op::jmx;
  }
  /// Finds who follows whom, and what only rare ways lead to.
  void find_neighbours(const std::vector<TableBranch>& tables) {
    for (const TableBranch& branch : tables)
      blocks_[block_[branch.from]].to.push_back(block_[branch.to]);
    bool known = true;
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      Block& block = blocks_[k];
      const MachineInstruction& last = code_[block.end - 1];
      const bool falls = !ends_block(last.operation) || !last.always || last.diverged || last.operation == Op::call;
      if (last.operation == Op::bra && last.target != nowhere && !last.diverged)
        block.to.push_back(block_[last.target]);
      if (falls && k + 1 < blocks_.size()) block.to.push_back(k + 1);
      const bool leaps = last.operation == Op::brx || last.operation == Op::jmp || last.operation == Op::jmx;
      known = known && (!leaps || !block.to.empty());
    }
    Edges next, before(blocks_.size());
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      std::vector<std::uint32_t>& to = blocks_[k].to;
      std::ranges::sort(to);
      to.erase(std::ranges::unique(to).begin(), to.end());
      next.push_back(to);
      for (const std::uint32_t other : to)
        before[other].push_back(k);
    }
    for (std::uint32_t k = 0; k < blocks_.size(); ++k)
      blocks_[k].from = before[k];
    std::vector<bool> reached(blocks_.size());
    reach(0, reached);
    std::set<std::uint32_t> entries{0};
    for (bool more = true; std::exchange(more, false);)
      for (std::uint32_t k = 0; k < blocks_.size(); ++k)
        if (calls_function(k) && reached[k] && entries.insert(called_by(k)).second) {
          reach(called_by(k), reached);
          more = true;
        }
    for (const std::uint32_t entry : entries)
      std::ranges::move(natural_loops(next, before, entry), std::back_inserter(loops_));
    if (!known) return;
    for (std::uint32_t k = 0; k < blocks_.size(); ++k)
      if (const std::uint32_t called = called_by(k); called != nowhere && reached[k] && !calls_function(k)) {
        std::vector<bool>& part = called_.try_emplace(called, blocks_.size()).first->second;
        reach(called, part);
        for (std::uint32_t other = 0; other < blocks_.size(); ++other)
          part[other] = part[other] && !reached[other];
      }
    for (std::uint32_t k = 0; k < blocks_.size(); ++k)
      blocks_[k].rare = !reached[k];
  }
  /// Marks what can be reached from a block without calls.
  void reach(std::uint32_t from, std::vector<bool>& reached) const {
    std::vector<std::uint32_t> left{from};
    while (!left.empty()) {
      const std::uint32_t k = left.back();
      left.pop_back();
      if (reached[k] || (called_by(k) != nowhere && !calls_function(k) && is_detour(k))) continue;
      reached[k] = true;
      left.insert(left.end(), blocks_[k].to.begin(), blocks_[k].to.end());
    }
  }
  /// The block that the last instruction of a block calls.
  [[nodiscard]] std::uint32_t called_by(std::uint32_t k) const {
    const MachineInstruction& last = code_[blocks_[k].end - 1];
    return last.operation == Op::call && last.target != nowhere ? block_[last.target] : nowhere;
  }
  /// True for a block that ends with a call of a function of the PTX.
  [[nodiscard]] bool calls_function(std::uint32_t k) const {
    return called_by(k) != nowhere && ptx_.calls(code_[blocks_[k].end - 1].ptx_line);
  }
  /// True for a block that calls the code for odd operands of the instruction that the branch around it belongs to.
  [[nodiscard]] bool is_detour(std::uint32_t k) const {
    const std::uint32_t line = code_[blocks_[k].end - 1].ptx_line;
    return !blocks_[k].from.empty() && std::ranges::all_of(blocks_[k].from, [&](std::uint32_t from) {
      return blocks_[from].to.size() > 1 && code_[blocks_[from].end - 1].ptx_line == line;
    });
  }

  /// Collects what the instructions say about their blocks.
  void collect() {
    for (std::uint32_t k = 0; k < blocks_.size(); ++k) {
      Block& block = blocks_[k];
      std::map<std::uint32_t, std::map<std::pair<std::uint32_t, Op>, int>> kept;
      std::set<std::uint32_t> guarded;
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        const MachineInstruction& one = code_[i];
        const auto from = ptx_.of_line(one.ptx_line);
        if (!from) continue;
        const std::uint32_t of = ptx_.block(*from);
        const bool leaves = one.operation == Op::bra || one.operation == Op::exit;
        const bool stays = is_kept(one.operation) && ptx_.is_kept(*from);
        const int copies = stays ? 1 : turns_of(one, *from);
        if (copies > 0) kept[of][{*from, one.operation}] += copies;
        if (!one.always && !leaves) {
          // All warps of the block issue it, whatever the predicate is.
          if (copies > 0) guarded.insert(of);
          continue;
        }
        block.votes[of] += stays || (leaves && ptx_.leaves(*from)) ? belongs : 1;
      }
      block.sure = std::ranges::any_of(block.votes, [](const auto& vote) { return vote.second >= belongs; });
      for (const auto& [of, counts] : kept) {
        std::vector<int> numbers;
        Copies& copies = copies_[of][k];
        for (const auto& [what, number] : counts) {
          // All instructions of a line have the number of one of them.
          numbers.push_back(ptx_.is_kept(what.first) ? std::max(1, number / ptx_.kept_on_line_of(what.first)) : number);
          copies.of.insert(what.first);
        }
        std::ranges::sort(numbers);
        copies.count = numbers[(numbers.size() - 1) / 2];
        copies.guarded = guarded.contains(of);
      }
    }
  }

  /// The turns of a loop that a block of machine code makes at once, as its counter says, which goes up by all of them
  /// in one addition; 0 for anything else.
  [[nodiscard]] int turns_of(const MachineInstruction& one, std::uint32_t from) const {
    const std::int32_t step = ptx_.step(from);
    if (step == 0 || one.step == 0 || one.step % step != 0 || ptx_.loops(ptx_.block(from)).empty()) return 0;
    return std::max(0, one.step / step);
  }

  /// The blocks that have instructions of a block of PTX which block k has too, with it.
  [[nodiscard]] Sharers sharers(std::uint32_t of, std::uint32_t k) const {
    const auto& all = copies_.at(of);
    const std::set<std::uint32_t>& own = all.at(k).of;
    Sharers found;
    for (const auto& [block, copies] : all)
      if (!blocks_[block].rare && std::ranges::any_of(copies.of, [&](std::uint32_t i) { return own.contains(i); }))
        found.emplace_back(block, &copies);
    return found;
  }
  [[nodiscard]] Visits visits_of(std::uint32_t k) {
    Block& block = blocks_[k];
    if (block.rare) return {};
    if (block.votes.empty()) return k == 0 ? ptx_.visits(0) : blocks_[k - 1].visits;
    const auto& [of, votes] = *std::ranges::max_element(block.votes, {}, [](const auto& vote) { return vote.second; });
    block.sure = votes >= belongs;
    const Visits all = ptx_.visits(ptx_.first(of));
    const std::vector<const Loop*> loops = ptx_.loops(of);
    const auto copies = copies_.find(of);
    if (copies == copies_.end() || !copies->second.contains(k) || copies->second.at(k).guarded) {
      // What stands outside of a loop that it is from was moved out of it, or decides which copy begins.
      const std::size_t depth = loops_around(loops_, k).size();
      return depth < loops.size() ? ptx_.entries(*loops[depth]) : all;
    }
    const Sharers shared = sharers(of, k);
    if (!loops.empty() && (shared.size() > 1 || shared.front().second->count > 1))
      return part_of_turns(shared, k, all, ptx_.entries(*loops.back()), loops.size());
    const auto number = static_cast<double>(shared.size());
    return {all.warps / number, all.threads / number};
  }
  /// How often a block was executed that has copies of a loop's body, if all warps made as many turns: the largest
  /// pieces come first, and what they leave is for the smaller ones.
  [[nodiscard]] Visits part_of_turns(Sharers shared, std::uint32_t k, const Visits& all, const Visits& entries,
                                     std::size_t depth) const {
    if (entries.warps == 0) return {};
    std::ranges::stable_sort(shared, [](const auto& a, const auto& b) {
      return a.second->count != b.second->count ? a.second->count > b.second->count
                                                : a.second->guarded < b.second->guarded;
    });
    double left = all.warps / entries.warps, turns = 0;
    for (const auto& [block, copies] : shared) {
      turns = left / copies->count;
      if (block != shared.back().first) {
        const bool repeats = loops_around(loops_, block).size() >= depth;
        turns = repeats ? std::floor(turns + 1e-9) : turns >= 1 ? 1 : 0;
      }
      if (block == k) break;
      left -= turns * copies->count;
    }
    const double warps = turns * entries.warps;
    return {warps, all.warps > 0 ? warps * all.threads / all.warps : 0};
  }

  /// A block is not executed more often than the only one before it, or the only one behind it.
  void bound() {
    for (int pass = 0; pass < 3; ++pass)
      for (std::uint32_t k = 1; k < blocks_.size(); ++k)
        if (!blocks_[k].sure)
          for (const auto* others : {&blocks_[k].to, &blocks_[k].from})
            if (others->size() == 1 && blocks_[others->front()].visits.warps < blocks_[k].visits.warps)
              blocks_[k].visits = blocks_[others->front()].visits;
  }

  /// Code that several instructions call, such as that of divisions, is executed as often as all of them together.
  void add_calls() {
    for (const auto& [called, part] : called_) {
      Visits sum;
      for (std::uint32_t k = 0; k < blocks_.size(); ++k)
        if (called_by(k) == called) {
          sum.warps += blocks_[k].visits.warps;
          sum.threads += blocks_[k].visits.threads;
        }
      for (std::uint32_t k = 0; k < blocks_.size(); ++k)
        if (part[k]) blocks_[k].visits = sum;
    }
  }

  /// True for code without branches, of which each block but the first follows an exit of some threads. Those that go
  /// on behind a branch to the end, or a return, are those that execute the instruction of PTX after it.
  [[nodiscard]] bool is_certain() const {
    for (const MachineInstruction& one : code_)
      if (one.operation != Op::exit && ends_block(one.operation)) return false;
    for (std::size_t k = 0; k + 1 < blocks_.size(); ++k) {
      const auto left = ptx_.of_line(code_[blocks_[k].end - 1].ptx_line);
      if (!left || !ptx_.leaves(*left) || ptx_.visits(*left + 1).warps != blocks_[k + 1].visits.warps) return false;
    }
    return blocks_.front().visits.warps == ptx_.visits(0).warps;
  }

  const std::vector<MachineInstruction>& code_;
  const PtxFlow& ptx_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_;                   ///< Of each instruction.
  std::map<std::uint32_t, std::vector<bool>> called_;  ///< The blocks of what is called, by the first one.
  std::vector<Loop> loops_;
  std::map<std::uint32_t, std::map<std::uint32_t, Copies>> copies_;  ///< By the block of PTX and that of the code.
};

}  // namespace

std::optional<MachineCounts> machine_counts(const KernelCode& code, const Module& module, const Function& kernel,
                                            const LaunchResult& executed) {
  const auto has_line = [](const MachineInstruction& one) { return one.ptx_line > 0; };
  if (kernel.instructions.empty() || executed.instructions.size() != kernel.instructions.size() ||
      std::ranges::none_of(code.instructions, has_line))
    return {};
  const PtxFlow ptx(module, kernel, executed);
  if (!ptx.has_all_calls()) return {};
  const MachineFlow flow(code, ptx);
  std::vector<const Counts*> all;
  for (const Counts& one : executed.instructions)
    all.push_back(&one);
  for (const CalledFunction& called : executed.called)
    for (const Counts& one : called.instructions)
      all.push_back(&one);
  MachineCounts counts = flow.counts(all.size());
  for (const std::uint32_t i : flow.branches())
    counts.divergent += static_cast<double>(all[i]->divergent_branches);
  return counts;
}

}  // namespace threadscape::warp
