// Devices of CUDA that are chosen or lost, runs, which the drawing thread queues, and their preparations, which the
// worker makes.

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "app/live/live_view.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

void LiveView::follow_device(const Workspace& workspace) {
  gpu::Device& device = workspace.device();
  if (&device == route_.device) return;
  if (cuda_.running() != nullptr) result_.set_empty();
  route_ = interop::route_from(route_, device);
  cuda_.change_route(route_.cuda_route);
  device_lost_ = false;
}

void LiveView::notice_lost_device(Workspace& workspace) {
  gpu::Device& device = workspace.device();
  const std::vector<gpu::Device*> all = workspace.work().devices;
  for (gpu::Device* one : all)
    if (one != &device && one->available() && !one->problem().empty()) {
      workspace.log.error("one of the CUDA devices is lost: " + one->problem() + "; runs are not divided any more");
      workspace.choose_device(device);
      break;
    }
  if (!device.available()) return;
  const std::string problem = device.problem();
  if (problem.empty()) device_lost_ = false;
  if (device_lost_ || problem.empty()) return;
  device_lost_ = true;
  workspace.log.error("the CUDA device is lost: " + problem + "; the program goes on with the CPU");
  cuda_.drop_device();
  result_.set_empty();
  comparison_.end();
  if (workspace.work().backend == Backend::cuda) workspace.choose_backend(Backend::openmp);
  if (route_.cuda_route == interop::Route::interop) recovery_.emplace(device);
}

void LiveView::start_preparation(const Work& work) {
  if (!worker_.idle()) return;
  job_start_.restart();
  worker_.start(Prepare{.work = work, .source = source()});
}

void LiveView::take(Workspace& workspace, Finished<Prepare> done) {
  if (const Failure* failure = done.failure()) {
    workspace.log.error(failure->why);
    given_up_ = done.job.work;
  }
  if (Prepare::Result* made = done.result()) prepared_ = Prepared{done.job.work, std::move(*made)};
}

void LiveView::start_cuda(Workspace& workspace, const Work& work) {
  // A preparation depends on parameters, seed and input alone, so it serves every variant.
  const bool prepared = prepared_ && prepared_->work.algorithm == work.algorithm &&
                        prepared_->work.params == work.params && prepared_->work.seed == work.seed &&
                        prepared_->work.source_id == work.source_id;
  if (!prepared && needs_preparation(work.request())) return start_preparation(work);
  try {
    cuda_.start(work, prepared ? prepared_->preparation : nullptr, input_, result_,
                !finishing_ && !comparing());  // comparisons measure whole runs
    cuda_source_ = source();
  } catch (const CudaRunner::RegistrationRefused& refused) {
    route_.cuda_route = interop::Route::staged;
    route_.reason = "CUDA refused memory of OpenGL: " + std::string(refused.what());
    workspace.log.warning(route_.reason + "; results of CUDA are copied through the host from now on (route staged)");
    cuda_.change_route(route_.cuda_route);
    start_cuda(workspace, work);
  } catch (const std::exception& error) {
    cuda_failed(workspace, work, error);
  }
}

void LiveView::cuda_failed(Workspace& workspace, const Work& work, const std::exception& error) {
  cuda_.abandon();
  notice_lost_device(workspace);
  if (device_lost_) return;
  workspace.log.error(error.what());
  given_up_ = work;
}

}  // namespace threadscape::app
