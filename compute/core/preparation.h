#pragma once

namespace threadscape {

/// What an algorithm computes on the host before a run: a part of the work that cannot run on the device, or that the
/// thread that queues device work must not wait for. Algorithms derive their own type from it. It depends on the
/// parameters, the input and the seed alone, so it can be reused by every run in which these are equal.
struct Preparation {
  virtual ~Preparation() = default;
};

}  // namespace threadscape
