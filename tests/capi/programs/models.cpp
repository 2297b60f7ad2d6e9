// Work that is captured and executed again: operators, copies, fills, functions of the host, in one
// stream and in several; what is refused meanwhile.
#include <atomic>
#include <thread>

#include "check.h"

static void* const kNonsense = reinterpret_cast<void*>(0x123456789abcdef0);
static const int64_t kCount = 1000;
static const size_t kBytes = kCount * sizeof(float);

static aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  return stream;
}

static float* NewMemory() {
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<float*>(memory);
}

static void Fill(float* memory, float value) {
  std::vector<float> values(kCount, value);
  EXPECT(0, aclrtMemcpy(memory, kBytes, values.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

static float Last(const float* memory) {
  std::vector<float> values(kCount);
  EXPECT(0, aclrtMemcpy(values.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return values.back();
}

// out = gradient of silu at x, with gradient g
static void Silu(float* g, float* x, float* out, aclrtStream stream) {
  aclTensor *tg = Make({kCount}, g), *tx = Make({kCount}, x), *tout = Make({kCount}, out);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(tg, tx, tout, &size, &executor));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, executor, stream));
  for (aclTensor* tensor : {tg, tx, tout}) EXPECT(0, aclDestroyTensor(tensor));
}

static double Slope(double x) {
  double s = 1 / (1 + std::exp(-x));
  return s * (1 + x * (1 - s));
}

static bool Near(double a, double b) { return std::fabs(a - b) < 1e-5 * (1 + std::fabs(b)); }

static void CountUp(void* count) { ++*static_cast<std::atomic<int>*>(count); }

static void InOneStream() {
  aclrtStream stream = NewStream(), other = NewStream();
  float *g = NewMemory(), *x = NewMemory(), *middle = NewMemory(), *out = NewMemory();
  std::atomic<int> count(0);
  aclmdlRI model = nullptr, seen = nullptr;
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
  Fill(g, 1), Fill(x, 1), Fill(out, 7);
  Silu(g, x, middle, stream);  // so that nothing has to be compiled meanwhile
  EXPECT(0, aclrtSynchronizeStream(stream));
  Fill(middle, 0);

  EXPECT(0, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT(0, aclmdlRICaptureGetInfo(stream, &status, &seen));
  Require(status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE && seen != nullptr, "captured");
  Silu(g, x, middle, stream);
  Silu(middle, x, out, stream);
  EXPECT(0, aclrtMemcpyAsync(x, kBytes, out, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  EXPECT(107026, aclmdlRIExecuteAsync(seen, other), "still captured");
  EXPECT(107026, aclmdlRIDestroy(seen), "still captured");
  EXPECT(0, aclmdlRICaptureEnd(stream, &model));
  Require(model == seen, "the model that was told of");
  EXPECT(0, aclmdlRICaptureGetInfo(stream, &status, &seen));
  Require(status == ACL_MODEL_RI_CAPTURE_STATUS_NONE && seen == nullptr, "no longer captured");
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(Last(middle) == 0 && Last(out) == 7 && Last(x) == 1 && count == 0, "nothing was done");

  double at = 1;
  for (int i = 0; i < 5; ++i) {
    EXPECT(0, aclmdlRIExecuteAsync(model, i % 2 ? stream : other));
    EXPECT(0, aclrtSynchronizeStream(i % 2 ? stream : other));
    double wanted = Slope(at) * Slope(at);
    Require(Near(Last(out), wanted), "executed");
    at = Last(x);
    Require(Near(at, wanted) && count == i + 1, "with what the time before left");
  }
  Fill(x, 2);
  EXPECT(0, aclmdlRIExecuteAsync(model, nullptr));
  EXPECT(0, aclrtSynchronizeStream(nullptr));
  Require(Near(Last(out), Slope(2) * Slope(2)), "with other values");
  EXPECT(0, aclmdlRIDestroy(model));
  EXPECT(107017, aclmdlRIDestroy(model), "destroyed");
  EXPECT(107017, aclmdlRIExecuteAsync(model, stream), "destroyed");
  for (float* memory : {g, x, middle, out}) EXPECT(0, aclrtFree(memory));
  for (aclrtStream made : {stream, other}) EXPECT(0, aclrtDestroyStream(made));
}

// Streams that wait for each other's events are captured together.
static void InTwoStreams() {
  aclrtStream first = NewStream(), second = NewStream();
  aclrtEvent fork = nullptr, join = nullptr;
  EXPECT(0, aclrtCreateEvent(&fork));
  EXPECT(0, aclrtCreateEvent(&join));
  float *g = NewMemory(), *x = NewMemory(), *out = NewMemory();
  aclmdlRI model = nullptr, seen = nullptr, other = nullptr;
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  EXPECT(0, aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  EXPECT(0, aclrtMemsetAsync(x, kBytes, 0, kBytes, first));
  EXPECT(0, aclrtRecordEvent(fork, first));
  EXPECT(0, aclrtStreamWaitEvent(second, fork));
  EXPECT(0, aclmdlRICaptureGetInfo(second, &status, &seen));
  EXPECT(0, aclmdlRICaptureGetInfo(first, &status, &other));
  Require(status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE && seen == other, "in one capture");
  Silu(g, x, out, second);
  EXPECT(0, aclrtRecordEvent(join, second));
  EXPECT(107036, aclmdlRICaptureEnd(second, &model), "");
  EXPECT(0, aclrtStreamWaitEvent(first, join));
  EXPECT(0, aclrtMemcpyAsync(g, kBytes, out, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, first));
  EXPECT(0, aclmdlRICaptureEnd(first, &model));
  Fill(g, 8), Fill(x, 5);
  EXPECT(0, aclmdlRIExecuteAsync(model, second));
  EXPECT(0, aclmdlRIExecuteAsync(model, second));
  EXPECT(0, aclrtSynchronizeStream(second));
  Require(Near(Last(g), 2) && Last(x) == 0, "both streams' work, twice");
  EXPECT(0, aclmdlRIDestroy(model));

  EXPECT(0, aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  EXPECT(0, aclrtRecordEvent(fork, first));
  EXPECT(0, aclrtStreamWaitEvent(second, fork));
  EXPECT(0, aclrtMemsetAsync(x, kBytes, 1, kBytes, second));
  EXPECT(107025, aclmdlRICaptureEnd(first, &model), "");
  Require(model == nullptr, "no model");
  EXPECT(0, aclrtSynchronizeStream(first));
  EXPECT(0, aclrtSynchronizeStream(second));
  Require(Last(x) == 0, "nothing was done");
  for (aclrtEvent event : {fork, join}) EXPECT(0, aclrtDestroyEvent(event));
  for (float* memory : {g, x, out}) EXPECT(0, aclrtFree(memory));
  for (aclrtStream made : {first, second}) EXPECT(0, aclrtDestroyStream(made));
}

static void Refused() {
  aclrtStream stream = NewStream();
  float *x = NewMemory(), *y = NewMemory();
  std::vector<float> mine(kCount);
  void* memory = nullptr;
  aclmdlRI model = nullptr;
  std::atomic<int> count(0);
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  EXPECT(107000, aclmdlRICaptureBegin(stream, static_cast<aclmdlRICaptureMode>(3)), "mode is 3");
  EXPECT(107031, aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "default");
  EXPECT(107017, aclmdlRICaptureBegin(kNonsense, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "stream");
  EXPECT(107029, aclmdlRICaptureEnd(stream, &model), "not captured");
  EXPECT(107031, aclmdlRICaptureEnd(nullptr, &model), "default");
  EXPECT(100000, aclmdlRICaptureEnd(stream, nullptr), "null");
  EXPECT(100000, aclmdlRIExecuteAsync(nullptr, stream), "null");
  EXPECT(107017, aclmdlRIExecuteAsync(kNonsense, stream), "no aclmdlRI");
  EXPECT(107017, aclmdlRICaptureGetInfo(kNonsense, &status, &model), "stream");
  EXPECT(100000, aclmdlRIDestroy(nullptr), "null");
  EXPECT(0, aclrtSubscribeReport(1, stream));

  EXPECT(0, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT(107027, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "already");
  EXPECT(107030, aclrtMemcpy(x, kBytes, mine.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE), "captured");
  EXPECT(107030, aclrtMemcpy2d(x, 8, mine.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), "captured");
  EXPECT(107030, aclrtMemset(x, kBytes, 0, kBytes), "captured");
  EXPECT(0, aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));  // frameworks allocate meanwhile
  EXPECT(0, aclrtFree(memory));
  EXPECT(107030, aclrtSynchronizeDevice(), "captured");
  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  EXPECT(0, aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT(0, aclrtMemset(x, kBytes, 0, kBytes));  // this thread may now
  EXPECT(0, aclmdlRICaptureThreadExchangeMode(&mode));
  Require(mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED, "the mode before");
  EXPECT(107030, aclrtMemset(x, kBytes, 0, kBytes), "captured");
  mode = static_cast<aclmdlRICaptureMode>(7);
  EXPECT(107000, aclmdlRICaptureThreadExchangeMode(&mode), "mode is 7");
  EXPECT(100000, aclmdlRICaptureThreadExchangeMode(nullptr), "null");
  EXPECT(107027, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream), "captured");
  std::thread([stream] {
    aclmdlRI none = nullptr;
    EXPECT(107030, aclrtSynchronizeDevice(), "captured");  // everybody must not
    EXPECT(107036, aclmdlRICaptureEnd(stream, &none), "another thread");
  }).join();
  EXPECT(0, aclmdlRICaptureEnd(stream, &model));
  EXPECT(0, aclmdlRIExecuteAsync(model, stream));  // nothing, which is something
  EXPECT(0, aclmdlRIExecute(model, -1));
  EXPECT(107017, aclmdlRIExecute(kNonsense, -1), "no aclmdlRI");
  char name[8] = "old";
  uint32_t id = 0;
  EXPECT(0, aclmdlRIGetName(model, sizeof name, name));
  Require(!*name, "no name yet");
  EXPECT(0, aclmdlRISetName(model, "a graph"));
  EXPECT(0, aclmdlRIGetName(model, sizeof name, name));
  EXPECT(0, aclmdlRIGetId(model, &id));
  Require(std::string(name) == "a graph" && id, "a name and a number");
  EXPECT(100000, aclmdlRIGetName(model, 3, name), "longer");
  EXPECT(100000, aclmdlRISetName(model, nullptr), "null");
  aclrtStreamAttrValue value = {};
  EXPECT(0, aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  EXPECT(0, aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  EXPECT(207000, aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), "3");
  EXPECT(0, aclmdlRIDestroy(model));

  EXPECT(0, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT(107030, aclrtMemset(x, kBytes, 0, kBytes), "captured");
  std::thread([x] { EXPECT(0, aclrtMemset(x, kBytes, 0, kBytes)); }).join();
  EXPECT(0, aclmdlRICaptureEnd(stream, &model));
  EXPECT(0, aclmdlRIDestroy(model));

  EXPECT(0, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  EXPECT(0, aclrtMemset(x, kBytes, 0, kBytes));  // at once, as asked
  EXPECT(0, aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtDestroyStream(stream));  // and the capture with it
  EXPECT(0, aclrtMemset(x, kBytes, 0, kBytes));
  EXPECT(0, aclrtSynchronizeDevice());
  for (void* made : {static_cast<void*>(x), static_cast<void*>(y), memory}) EXPECT(0, aclrtFree(made));
}

// What only the CPU can tell: waiting for what is captured, events of a capture, freed memory.
static void RefusedOnTheCpu() {
  aclrtStream stream = NewStream(), busy = NewStream();
  aclrtEvent event = nullptr;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  aclmdlRI model = nullptr;
  float *x = NewMemory(), *out = NewMemory();
  EXPECT(0, aclrtCreateEvent(&event));
  EXPECT(0, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  EXPECT(107027, aclrtSynchronizeStream(stream), "aclmdlRICaptureEnd");
  EXPECT(107027, aclrtSynchronizeDevice(), "aclmdlRICaptureEnd");
  EXPECT(107027, aclrtStreamQuery(stream, &status), "aclmdlRICaptureEnd");
  Silu(x, x, out, stream);
  EXPECT(0, aclrtRecordEvent(event, stream));
  EXPECT(107028, aclrtSynchronizeEvent(event), "capture");
  EXPECT(107028, aclrtQueryEventStatus(event, &recorded), "capture");
  EXPECT(0, aclmdlRICaptureEnd(stream, &model));
  EXPECT(107028, aclrtStreamWaitEvent(busy, event), "ended");
  EXPECT(0, aclrtRecordEvent(event, stream));  // an event like any other again
  EXPECT(0, aclrtSynchronizeEvent(event));
  EXPECT(0, aclmdlRIExecuteAsync(model, stream));
  EXPECT(0, aclrtFree(x));
  EXPECT(507011, aclmdlRIExecuteAsync(model, stream), "freed");
  EXPECT(0, aclmdlRIDestroy(model));
  EXPECT(0, aclrtFree(out));
  EXPECT(0, aclrtDestroyEvent(event));
  for (aclrtStream made : {stream, busy}) EXPECT(0, aclrtDestroyStream(made));
}

int main(int argc, char** argv) {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  InOneStream();
  InTwoStreams();
  Refused();
  if (argc > 1 && std::string(argv[1]) == "cpu") RefusedOnTheCpu();
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("models: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
