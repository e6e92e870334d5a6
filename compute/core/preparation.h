#pragma once

namespace threadscape {

/// Data that an algorithm computes on the host before a run: a part of the work that cannot run on the device, or for
/// which the thread that queues device work must not wait. Algorithms derive their own type from it. It depends only on
/// the parameters, the input and the seed, so every run for which these are equal can use it.
struct Preparation {
  virtual ~Preparation() = default;
};

}  // namespace threadscape
