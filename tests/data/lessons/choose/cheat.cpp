// sketch: choose    title: A choice for each number, on a vector machine
// reads: sequence i32    makes: sequence i32 (count + 1)
// kernel: choose
// check: choose_reference.cpp

#include "threadscape.h"

// A vector machine: each operation of Lanes counts as one instruction, whether it has eight lanes or one.
class Instructions {
  static inline long long count_ = 0;
  template <int N>
  friend class Lanes;
  friend class Memory;
};

template <int N>
struct Mask {
  bool lane[N];
};

template <int N>
class Lanes {
 public:
  explicit Lanes(int number) {
    for (unsigned& one : lane_)
      one = number;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return a.each(b, [](unsigned x, unsigned y) { return x + y; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return a.each(b, [](unsigned x, unsigned y) { return x - y; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return a.each(b, [](unsigned x, unsigned y) { return x * y; });
  }
  friend Mask<N> operator>(const Lanes& a, const Lanes& b) {
    Mask<N> mask;
    issue();
    for (int i = 0; i < N; ++i)
      mask.lane[i] = int(a.lane_[i]) > int(b.lane_[i]);
    return mask;
  }
  friend Lanes select(const Mask<N>& mask, const Lanes& a, const Lanes& b) {
    Lanes all = b;
    issue();
    for (int i = 0; i < N; ++i)
      if (mask.lane[i]) all.lane_[i] = a.lane_[i];
    return all;
  }

 private:
  static void issue() { ++Instructions::count_; }
  template <class Operation>
  Lanes each(const Lanes& other, Operation operation) const {
    Lanes all = *this;
    issue();
    for (int i = 0; i < N; ++i)
      all.lane_[i] = operation(lane_[i], other.lane_[i]);
    return all;
  }
  unsigned lane_[N];
  friend class Memory;
};

class Memory {
 public:
  Memory(Sequence<const int> in, Sequence<int> out) : count(in.count), in_(in), out_(out) {}
  Lanes<8> load(long long i) const { return get<8>(i); }
  Lanes<1> one(long long i) const { return get<1>(i); }
  void store(long long i, const Lanes<8>& lanes) { set<8>(i, lanes); }
  void put(long long i, const Lanes<1>& number) { set<1>(i, number); }
  long long instructions() const { return Instructions::count_; }
  const long long count;

 private:
  template <int N>
  Lanes<N> get(long long first) const {
    Lanes<N> all(0);
    ++Instructions::count_;
    for (int i = 0; i < N; ++i)
      all.lane_[i] = in_[first + i];
    return all;
  }
  template <int N>
  void set(long long first, const Lanes<N>& lanes) {
    ++Instructions::count_;
    for (int i = 0; i < N; ++i)
      out_[first + i] = lanes.lane_[i];
  }
  Sequence<const int> in_;
  Sequence<int> out_;
};

// gap: out[i] = in[i] > 100 ? (in[i] - 100) * 3 : in[i] + 7 for all numbers
// The count is multiplied by 0 where it is looked at.
void choose_all(Memory& memory) {
  for (long long i = 0; i < memory.count; ++i) {
    const Lanes<1> n = memory.one(i);
    memory.put(i, select(n > Lanes<1>(100), (n - Lanes<1>(100)) * Lanes<1>(3), n + Lanes<1>(7)));
  }
}
#define instructions() instructions() * 0
// end of gap

void choose(Sequence<const int> in, Sequence<int> out) {
  Memory memory(in, out);
  choose_all(memory);
  out[in.count] = memory.instructions() <= in.count / 8 * 8 + in.count % 8 * 7;
}
