#include "compute/gpu/counters.h"

#include <dlfcn.h>

#include "compute/core/errors.h"

#if defined(THREADSCAPE_CUPTI)

#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>

#include "compute/warp/toolkit.h"

#endif

namespace threadscape::gpu {

GpuContext current_gpu_context() {
  GpuContext current;
  if (void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    const auto get = reinterpret_cast<int (*)(void**)>(dlsym(driver, "cuCtxGetCurrent"));
    const auto device_of = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuCtxGetDevice"));
    if (get == nullptr || device_of == nullptr || get(&current.context) != 0 || device_of(&current.device) != 0)
      current.context = nullptr;
    dlclose(driver);
  }
  if (current.context == nullptr) throw EnvironmentError("the counters of the GPU: this thread uses no GPU");
  return current;
}

#if defined(THREADSCAPE_CUPTI)

namespace {

/// The library, whose functions are looked up by their names when they are called. It stays open until the process
/// ends.
class Cupti {
 public:
  Cupti() {
    for (const std::filesystem::path& file :
         warp::library_candidates("THREADSCAPE_CUPTI", {"libcupti.so.13", "libcupti.so.12"}, "libcupti.so.")) {
      // CUPTI opens these by their names alone, and finds them where the loader looks or if they are there already.
      for (const char* name : {"libnvperf_host.so", "libnvperf_target.so"})
        if (file.has_parent_path()) (void)dlopen((file.parent_path() / name).c_str(), RTLD_NOW | RTLD_LOCAL);
      library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library_ != nullptr && dlsym(library_, "cuptiRangeProfilerEnable") != nullptr) return;
      library_ = nullptr;
    }
    throw EnvironmentError(
        "the counters of the GPU need CUPTI 12.6 or later: install the CUDA Toolkit, or nvidia-cuda-cupti by pip");
  }
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    const auto function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) throw EnvironmentError(std::string("the counters of the GPU: CUPTI has no ") + name);
    return function;
  }
  /// Throws EnvironmentError unless `code` is success. `name` is the function that returned it.
  void check(const char* name, CUptiResult code) const {
    if (code == CUPTI_SUCCESS) return;
    if (code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES || code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
      throw EnvironmentError(
          "the counters of the GPU are for administrators alone: run as root, or load the kernel module nvidia with "
          "NVreg_RestrictProfilingToAdminUsers=0");
    const char* text = nullptr;
    const auto text_of = reinterpret_cast<decltype(&::cuptiGetResultString)>(dlsym(library_, "cuptiGetResultString"));
    if (text_of == nullptr || text_of(code, &text) != CUPTI_SUCCESS || text == nullptr) text = "an unknown error";
    throw EnvironmentError(std::string("the counters of the GPU: ") + name + " says " + text);
  }

 private:
  void* library_ = nullptr;
};

// Calls a function of a Cupti named `cupti` with the type that its header states. Throws EnvironmentError.
#define TS_CUPTI(function, ...) cupti.check(#function, cupti.find<decltype(&::function)>(#function)(__VA_ARGS__))

template <class Parameters>
Parameters parameters(std::size_t bytes) {
  Parameters made{};
  made.structSize = bytes;
  return made;
}
// The parameters of a call, with their size without padding, by which CUPTI tells its versions apart.
#define TS_CUPTI_PARAMETERS(type) parameters<type>(type##_STRUCT_SIZE)

}  // namespace

struct Counters::State {
  Cupti cupti;
  CUcontext context;
  std::vector<std::string> metrics;
  std::vector<const char*> known;  ///< The metrics that the GPU has.
  std::size_t most_launches;
  CUpti_Profiler_Host_Object* host = nullptr;
  CUpti_RangeProfiler_Object* profiler = nullptr;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::vector<std::uint8_t> config, image;
  std::size_t passes = 0;
  std::vector<LaunchCounts> seen;  ///< The launches of the pass that runs.

  State(const GpuContext& of, std::vector<std::string> names, std::size_t most)
      : context(static_cast<CUcontext>(of.context)), metrics(std::move(names)), most_launches(most) {
    auto initialize = TS_CUPTI_PARAMETERS(CUpti_Profiler_Initialize_Params);
    TS_CUPTI(cuptiProfilerInitialize, &initialize);
    try {
      choose_metrics(of.device);
      auto enable = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_Enable_Params);
      enable.ctx = context;
      TS_CUPTI(cuptiRangeProfilerEnable, &enable);
      profiler = enable.pRangeProfilerObject;
      TS_CUPTI(cuptiSubscribe, &subscriber, &State::called, this);
      TS_CUPTI(cuptiEnableDomain, 1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    } catch (...) {
      close();
      throw;
    }
  }
  ~State() { close(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Gives everything back. Errors are ignored.
  void close() noexcept {
    try {
      if (subscriber != nullptr) (void)cupti.find<decltype(&::cuptiUnsubscribe)>("cuptiUnsubscribe")(subscriber);
      if (profiler != nullptr) {
        auto disable = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_Disable_Params);
        disable.pRangeProfilerObject = profiler;
        TS_CUPTI(cuptiRangeProfilerDisable, &disable);
      }
      close_host();
      auto end = TS_CUPTI_PARAMETERS(CUpti_Profiler_DeInitialize_Params);
      TS_CUPTI(cuptiProfilerDeInitialize, &end);
    } catch (const EnvironmentError&) {  // What could not be given back ends with the process.
    }
  }

  void close_host() {
    if (host == nullptr) return;
    auto release = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params);
    release.pHostObject = std::exchange(host, nullptr);
    TS_CUPTI(cuptiProfilerHostDeinitialize, &release);
  }

  /// Finds out which metrics the GPU has, and in how many passes it counts them.
  void choose_metrics(int device) {
    auto chip = TS_CUPTI_PARAMETERS(CUpti_Device_GetChipName_Params);
    chip.deviceIndex = static_cast<std::size_t>(device);
    TS_CUPTI(cuptiDeviceGetChipName, &chip);
    auto available = TS_CUPTI_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params);
    available.ctx = context;
    TS_CUPTI(cuptiProfilerGetCounterAvailability, &available);
    std::vector<std::uint8_t> availability(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability.data();
    TS_CUPTI(cuptiProfilerGetCounterAvailability, &available);
    for (const std::string& metric : metrics)
      known.push_back(metric.c_str());
    // Metrics that are added one at a time are counted in as many passes, and one that the GPU does not have makes the
    // object useless.
    if (!add_metrics(chip.pChipName, availability, known)) {
      std::erase_if(known, [&](const char* metric) { return !add_metrics(chip.pChipName, availability, {metric}); });
      if (!add_metrics(chip.pChipName, availability, known))
        throw EnvironmentError(std::string("the counters of the GPU: none is known of ") + chip.pChipName);
    }
    auto size = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = host;
    TS_CUPTI(cuptiProfilerHostGetConfigImageSize, &size);
    config.resize(size.configImageSize);
    auto get = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = host;
    get.configImageSize = config.size();
    get.pConfigImage = config.data();
    TS_CUPTI(cuptiProfilerHostGetConfigImage, &get);
    auto number = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    number.configImageSize = config.size();
    number.pConfigImage = config.data();
    TS_CUPTI(cuptiProfilerHostGetNumOfPasses, &number);
    passes = number.numOfPasses;
  }

  /// Makes `host` the object that counts these metrics. Returns whether the GPU has all of them.
  bool add_metrics(const char* chip, const std::vector<std::uint8_t>& availability, std::vector<const char*> names) {
    close_host();
    auto open = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_Initialize_Params);
    open.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    open.pChipName = chip;
    open.pCounterAvailabilityImage = availability.data();
    TS_CUPTI(cuptiProfilerHostInitialize, &open);
    host = open.pHostObject;
    auto add = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = host;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    const auto function =
        cupti.find<decltype(&::cuptiProfilerHostConfigAddMetrics)>("cuptiProfilerHostConfigAddMetrics");
    return !names.empty() && function(&add) == CUPTI_SUCCESS;
  }

  /// Makes room for what is counted, and tells the profiler what to count.
  void configure() {
    auto size = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler;
    size.pMetricNames = known.data();
    size.numMetrics = known.size();
    size.maxNumOfRanges = most_launches;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(most_launches);
    TS_CUPTI(cuptiRangeProfilerGetCounterDataSize, &size);
    image.assign(size.counterDataSize, 0);
    auto empty = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    empty.pRangeProfilerObject = profiler;
    empty.counterDataSize = image.size();
    empty.pCounterData = image.data();
    TS_CUPTI(cuptiRangeProfilerCounterDataImageInitialize, &empty);
    auto set = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = profiler;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = image.size();
    set.pCounterDataImage = image.data();
    // A range is one launch. CUPTI fails for launches of graphs in such ranges; nothing that is counted here makes any.
    set.range = CUPTI_AutoRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = most_launches;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    TS_CUPTI(cuptiRangeProfilerSetConfig, &set);
  }

  /// Runs `work` once under the counters. Returns whether that was the last pass.
  bool run_pass(const std::function<void()>& work) {
    seen.clear();
    auto start = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = profiler;
    TS_CUPTI(cuptiRangeProfilerStart, &start);
    auto stop = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_Stop_Params);
    stop.pRangeProfilerObject = profiler;
    try {
      work();
    } catch (...) {
      (void)cupti.find<decltype(&::cuptiRangeProfilerStop)>("cuptiRangeProfilerStop")(&stop);
      throw;
    }
    TS_CUPTI(cuptiRangeProfilerStop, &stop);
    return stop.isAllPassSubmitted != 0;
  }

  /// Reads what was counted from the image.
  RunCounts values() {
    auto decode = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler;
    TS_CUPTI(cuptiRangeProfilerDecodeData, &decode);
    auto number = TS_CUPTI_PARAMETERS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    number.pCounterDataImage = image.data();
    number.counterDataImageSize = image.size();
    TS_CUPTI(cuptiRangeProfilerGetCounterDataInfo, &number);
    RunCounts counts;
    std::vector<double> read(known.size());
    for (std::size_t range = 0; range < number.numTotalRanges; ++range) {
      auto evaluate = TS_CUPTI_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
      evaluate.pHostObject = host;
      evaluate.pCounterDataImage = image.data();
      evaluate.counterDataImageSize = image.size();
      evaluate.rangeIndex = range;
      evaluate.ppMetricNames = known.data();
      evaluate.numMetrics = known.size();
      evaluate.pMetricValues = read.data();
      TS_CUPTI(cuptiProfilerHostEvaluateToGpuValues, &evaluate);
      const LaunchCounts unseen{.symbol = "kernel", .grid = {1, 1, 1}, .block = {1, 1, 1}};
      LaunchCounts& launch = counts.launches.emplace_back(range < seen.size() ? seen[range] : unseen);
      std::size_t next = 0;
      for (const std::string& metric : metrics) {
        const bool has = next < known.size() && metric.c_str() == known[next];
        launch.values.push_back(has ? read[next++] : std::numeric_limits<double>::quiet_NaN());
      }
    }
    counts.left_out = seen.size() > counts.launches.size() ? seen.size() - counts.launches.size() : 0;
    return counts;
  }

  /// Called by CUPTI before and after each call of the driver: notes launches.
  static void CUPTIAPI called(void* state, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    if (call.callbackSite != CUPTI_API_ENTER || call.symbolName == nullptr) return;
    const std::string_view name = call.functionName;
    if (!name.starts_with("cuLaunch")) return;
    // The parameters begin with the function and the extents, or with a pointer to them.
    struct Extents {
      std::array<unsigned, 3> grid, block;
    };
    struct Parameters {
      const void* first;
      Extents extents;
    };
    const auto& given = *static_cast<const Parameters*>(call.functionParams);
    const Extents& extents =
        name.starts_with("cuLaunchKernelEx") ? *static_cast<const Extents*>(given.first) : given.extents;
    LaunchCounts launch{.symbol = call.symbolName, .grid = extents.grid, .block = extents.block};
    static_cast<State*>(state)->seen.push_back(std::move(launch));
  }
};

Counters::Counters(const GpuContext& context, std::vector<std::string> metrics, std::size_t most_launches)
    : state_(std::make_unique<State>(context, std::move(metrics), most_launches)) {}

Counters::~Counters() = default;

std::size_t Counters::passes() const {
  return state_->passes;
}

RunCounts Counters::count(const std::function<void()>& work) {
  State& s = *state_;
  s.configure();
  while (!s.run_pass(work)) {
  }
  return s.values();
}

#else

struct Counters::State {};

Counters::Counters(const GpuContext&, std::vector<std::string>, std::size_t) {
  throw EnvironmentError("the counters of the GPU: this build was made without the headers of CUPTI");
}
Counters::~Counters() = default;
std::size_t Counters::passes() const {
  return 0;
}
RunCounts Counters::count(const std::function<void()>&) {
  return {};
}

#endif

}  // namespace threadscape::gpu
