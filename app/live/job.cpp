#include "app/live/job.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "app/live/preview_slot.h"
#include "compute/core/convert.h"
#include "compute/core/kind_conversion.h"

namespace threadscape::app {

namespace {

/// Values that are not computed yet must not look like a result.
void blank(const HostOut& output) {
  const auto bytes = output.pitch * static_cast<std::size_t>(output.shape.height * output.shape.depth);
  if (output.shape.element == Element::f32)
    std::fill_n(reinterpret_cast<float*>(output.data), bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
  else
    std::memset(output.data, 0, bytes);
}

HostIn data_of(const std::shared_ptr<const Source>& source) {
  return source ? source->picture.pixels.view() : HostIn{};
}

template <class J>
FinishedJob finish(J job, JobContext& context) {
  decltype(Finished<J>::outcome) outcome = WasCancelled{};
  try {
    outcome = job.run(context);
  } catch (const Cancelled&) {
    outcome = WasCancelled{};
  } catch (const std::bad_alloc&) {
    outcome = Failure{"not enough memory"};
  } catch (const std::exception& error) {
    outcome = Failure{error.what()};
  } catch (...) {
    outcome = Failure{"an unknown error"};
  }
  return Finished<J>{std::move(job), std::move(outcome)};
}

}  // namespace

MakeInput::Result MakeInput::run(JobContext& context) const {
  HostArray made = work.make_input(context.stop, &context.progress);
  if (context.stop.stop_requested()) throw Cancelled();
  return made;
}

Prepare::Result Prepare::run(JobContext& context) const {
  return make_preparation(work.request(), data_of(source), context.stop, &context.progress);
}

WorkerRun::Result WorkerRun::run(JobContext& context) const {
  if (watched) {
    blank(output);
    context.blanked.store(true, std::memory_order_release);
  }
  return context.runner.run_into(work.request(), data_of(source), output, context.stop, &context.progress);
}

PreviewRun::Result PreviewRun::run(JobContext& context) const {
  const HostArray small = quarter_of(data_of(source));
  RunRequest request = work.request();
  request.params = params;
  return context.runner.run(request, small.view(), context.stop, nullptr);
}

ReferenceRun::Result ReferenceRun::run(JobContext& context) const {
  return context.runner.run_into(work.request(), data_of(source), output, context.stop, &context.progress);
}

OpenFile::Result OpenFile::run(JobContext& context) const {
  return file.read(context.stop);
}

ConvertPicture::Result ConvertPicture::run(JobContext&) const {
  return {convert_picture(source->picture.pixels.view(), element), source->picture.colour};
}

SaveFile::Result SaveFile::run(JobContext&) const {
  write();
  return {};
}

KeepResult::Result KeepResult::run(JobContext&) const {
  HostArray values = read();
  return values.shape().kind == result.target->input ? std::move(values)
                                                     : convert_kind(std::as_const(values).view(), result.target->input);
}

FinishedJob run_job(Job job, JobContext& context) {
  return std::visit([&](auto& kind) { return finish(std::move(kind), context); }, job);
}

}  // namespace threadscape::app
