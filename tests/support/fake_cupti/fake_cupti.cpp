// A library with the functions of CUPTI that gpu::Counters calls, for tests without a GPU. A test launches kernels by
// fake_launch(). There are two passes, and room for as many launches as were asked for. The value of a metric is 100
// times the number of the launch plus the number of the metric among those that exist, which are all but "absent".
// FAKE_CUPTI_FAILS names a function that returns FAKE_CUPTI_CODE.

#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr std::size_t passes = 2;

std::size_t most = 0, launched = 0, pass = 0;
int live = 0;  // Objects that were made and not given back.
CUpti_CallbackFunc callback = nullptr;
void* callback_data = nullptr;

CUptiResult result_of(const char* name) {
  const char *fails = std::getenv("FAKE_CUPTI_FAILS"), *code = std::getenv("FAKE_CUPTI_CODE");
  return fails != nullptr && std::strcmp(fails, name) == 0 && code != nullptr
             ? static_cast<CUptiResult>(std::atoi(code))
             : CUPTI_SUCCESS;
}

template <class Object>
Object* made() {
  ++live;
  static int something;
  return reinterpret_cast<Object*>(&something);
}

CUptiResult gone() {
  --live;
  return CUPTI_SUCCESS;
}

}  // namespace

extern "C" {

/// How many objects were made and not given back.
int fake_live() {
  return live;
}

/// Launches a kernel as the driver's function `how` does.
void fake_launch(const char* how, const char* symbol, const unsigned* extents) {
  struct {
    const void* function;
    std::array<unsigned, 6> extents;
  } plain{nullptr, {}};
  std::copy_n(extents, 6, plain.extents.begin());
  const struct { const void* config; } extended{plain.extents.data()};
  const bool by_config = std::string_view(how).starts_with("cuLaunchKernelEx");
  CUpti_CallbackData data{};
  data.functionName = how;
  data.symbolName = symbol;
  data.functionParams = by_config ? static_cast<const void*>(&extended) : &plain;
  for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
    data.callbackSite = site;
    if (callback != nullptr) callback(callback_data, CUPTI_CB_DOMAIN_DRIVER_API, 0, &data);
  }
  ++launched;
}

CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "CUPTI_ERROR_OF_THE_TEST";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) {
  const CUptiResult result = result_of("cuptiProfilerInitialize");
  live += result == CUPTI_SUCCESS ? 1 : 0;
  return result;
}
CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params*) {
  return gone();
}
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* p) {
  p->pChipName = "FAKE";
  return result_of("cuptiDeviceGetChipName");
}
CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* p) {
  p->counterAvailabilityImageSize = 8;
  return result_of("cuptiProfilerGetCounterAvailability");
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  if (std::string_view(p->pChipName) != "FAKE") return CUPTI_ERROR_INVALID_PARAMETER;
  p->pHostObject = made<CUpti_Profiler_Host_Object>();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params*) {
  return gone();
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
  const auto is_absent = [](const char* name) { return std::string_view(name) == "absent"; };
  return std::any_of(p->ppMetricNames, p->ppMetricNames + p->numMetrics, is_absent) ? CUPTI_ERROR_INVALID_METRIC_NAME
                                                                                    : CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  p->configImageSize = 16;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* p) {
  std::fill_n(p->pConfigImage, p->configImageSize, std::uint8_t{1});
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
  p->numOfPasses = passes;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* p) {
  const CUptiResult result = result_of("cuptiRangeProfilerEnable");
  if (result == CUPTI_SUCCESS) p->pRangeProfilerObject = made<CUpti_RangeProfiler_Object>();
  return result;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params*) {
  return gone();
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
  p->counterDataSize = 8 * p->maxNumOfRanges;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
  std::fill_n(p->pCounterData, p->counterDataSize, std::uint8_t{0});
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  most = p->maxRangesPerPass;
  pass = 0;
  return result_of("cuptiRangeProfilerSetConfig");
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params*) {
  launched = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* p) {
  p->isAllPassSubmitted = ++pass == passes ? 1 : 0;
  return result_of("cuptiRangeProfilerStop");
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params*) {
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  p->numTotalRanges = std::min(most, launched);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  for (std::size_t i = 0; i < p->numMetrics; ++i)
    p->pMetricValues[i] = 100.0 * static_cast<double>(p->rangeIndex) + static_cast<double>(i);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc function, void* data) {
  const CUptiResult result = result_of("cuptiSubscribe");
  if (result != CUPTI_SUCCESS) return result;
  *subscriber = made<CUpti_Subscriber_st>();
  callback = function;
  callback_data = data;
  return result;
}
CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  callback = nullptr;
  return gone();
}
CUptiResult cuptiEnableDomain(std::uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain) {
  return CUPTI_SUCCESS;
}

}  // extern "C"
