// What a stream does when something in it has to be waited for: functions of the host, callbacks on
// a thread that the program lends, events between streams, operators behind them, limits of time.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "aclnnop/aclnn_nonzero_v2.h"
#include "check.h"

static void* const kNonsense = reinterpret_cast<void*>(0x123456789abcdef0);

// Something that a function of the host waits for.
class Gate {
 public:
  void Open() {
    std::lock_guard<std::mutex> hold(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Wait() {
    std::unique_lock<std::mutex> hold(mutex_);
    changed_.wait(hold, [this] { return open_; });
  }
  static void Pass(void* gate) { static_cast<Gate*>(gate)->Wait(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

static void CountUp(void* count) { ++*static_cast<std::atomic<int>*>(count); }

static aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  return stream;
}

static bool IsDone(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT(0, aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

// Copies, fills, events and operators behind a function that waits are done when it has returned.
static void BehindAHostFunction() {
  Gate gate;
  aclrtStream stream = NewStream(), other = NewStream();
  aclrtEvent before = nullptr, event = nullptr;
  EXPECT(0, aclrtCreateEvent(&before));
  EXPECT(0, aclrtCreateEvent(&event));
  const int64_t n = 16;
  void *x = nullptr, *out = nullptr, *pinned = nullptr;
  for (void** memory : {&x, &out}) EXPECT(0, aclrtMalloc(memory, n * 4, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMallocHost(&pinned, n * 4));
  std::vector<float> ones(n, 1);
  EXPECT(0, aclrtMemset(x, n * 4, 0, n * 4));
  std::memset(pinned, 0, n * 4);
  aclTensor *tx = Make({n}, x), *tout = Make({n}, out);
  uint64_t size = 0;
  aclOpExecutor *executor = nullptr, *again = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(tx, tx, tout, &size, &executor));

  EXPECT(0, aclrtRecordEvent(before, stream));
  EXPECT(0, aclrtLaunchHostFunc(stream, Gate::Pass, &gate));
  EXPECT(0, aclrtMemcpyAsync(x, n * 4, ones.data(), n * 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, executor, stream));
  EXPECT(561000, aclnnSiluBackward(nullptr, 0, executor, stream), "has run already");
  EXPECT(0, aclrtRecordEvent(event, stream));
  EXPECT(0, aclrtStreamWaitEvent(other, event));
  EXPECT(0, aclrtMemcpyAsync(pinned, n * 4, out, n * 4, ACL_MEMCPY_DEVICE_TO_HOST, other));
  aclDestroyTensor(tx);  // the executor needs them no more
  aclDestroyTensor(tout);

  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  aclrtEventWaitStatus waited = ACL_EVENT_WAIT_STATUS_RESERVED;
  uint64_t when = 0;
  float ms = 0;
  Require(!IsDone(stream) && !IsDone(other), "the streams wait");
  EXPECT(0, aclrtQueryEvent(event, &status));
  EXPECT(0, aclrtQueryEventStatus(event, &recorded));
  EXPECT(0, aclrtQueryEventWaitStatus(event, &waited));
  Require(status == ACL_EVENT_STATUS_NOT_READY && recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY &&
              waited == ACL_EVENT_WAIT_STATUS_NOT_READY, "the event is not reached");
  EXPECT(507046, aclrtSynchronizeStreamWithTimeout(stream, 10), "10 ms");
  EXPECT(507046, aclrtSynchronizeStreamWithTimeout(other, 0), "0 ms");
  EXPECT(507046, aclrtSynchronizeDeviceWithTimeout(10), "10 ms");
  EXPECT(507047, aclrtSynchronizeEventWithTimeout(event, 10), "10 ms");
  EXPECT(507006, aclrtEventElapsedTime(&ms, before, event), "");
  EXPECT(507006, aclrtEventGetTimestamp(event, &when), "");
  Require(static_cast<float*>(pinned)[0] == 0, "nothing has happened yet");

  gate.Open();
  EXPECT(0, aclrtSynchronizeStream(other));
  Require(std::fabs(static_cast<float*>(pinned)[n - 1] - 0.927671f) < 1e-6, "all happened in order");
  EXPECT(0, aclrtSynchronizeEvent(event));
  EXPECT(0, aclrtSynchronizeEventWithTimeout(event, 0));
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclrtSynchronizeDeviceWithTimeout(60000));
  EXPECT(0, aclrtSynchronizeDevice());
  Require(IsDone(stream) && IsDone(other), "the streams are done");
  EXPECT(0, aclrtEventElapsedTime(&ms, before, event));
  Require(ms >= 9, "the event came when the function had returned");
  uint64_t first = 0;
  EXPECT(0, aclrtEventGetTimestamp(before, &first));
  EXPECT(0, aclrtEventGetTimestamp(event, &when));
  Require(when >= first + 9000 && std::fabs((when - first) * 1e-3 - ms) < 1, "times in microseconds");

  // without anything to wait for, streams of the CPU work at once again
  aclTensor *ty = Make({n}, x);
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(ty, ty, ty, &size, &again));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, again, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  aclDestroyTensor(ty);

  EXPECT(0, aclrtResetEvent(event, stream));
  EXPECT(0, aclrtQueryEventStatus(event, &recorded));
  Require(recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY, "as if it were never recorded");
  EXPECT(107006, aclrtEventGetTimestamp(event, &when), "never recorded");
  EXPECT(0, aclrtQueryEventWaitStatus(event, &waited));
  Require(waited == ACL_EVENT_WAIT_STATUS_COMPLETE, "nobody waits for it");
  EXPECT(107000, aclrtSynchronizeEventWithTimeout(event, -2), "timeout");
  EXPECT(107000, aclrtSynchronizeDeviceWithTimeout(-2), "timeout");
  EXPECT(107017, aclrtResetEvent(kNonsense, stream), "event");
  for (aclrtEvent made : {before, event}) EXPECT(0, aclrtDestroyEvent(made));
  for (aclrtStream made : {stream, other}) EXPECT(0, aclrtDestroyStream(made));
  for (void* memory : {x, out}) EXPECT(0, aclrtFree(memory));
  EXPECT(0, aclrtFreeHost(pinned));
}

static void HostFunctions() {
  std::atomic<int> count(0);
  aclrtStream stream = NewStream();
  std::mutex held;
  held.lock();  // the function takes it: it does not run in this thread
  auto locks = [](void* mutex) {
    static_cast<std::mutex*>(mutex)->lock();
    static_cast<std::mutex*>(mutex)->unlock();
  };
  EXPECT(0, aclrtLaunchHostFunc(stream, locks, &held));
  for (int i = 0; i < 1000; ++i) EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  held.unlock();
  EXPECT(0, aclrtLaunchHostFunc(nullptr, CountUp, &count));
  EXPECT(0, aclrtSynchronizeDevice());
  Require(count == 1001, "every function was called");
  EXPECT(100000, aclrtLaunchHostFunc(stream, nullptr, &count), "null");
  EXPECT(107017, aclrtLaunchHostFunc(kNonsense, CountUp, &count), "stream");
  EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  EXPECT(0, aclrtDestroyStream(stream));
  Require(count == 1002, "a stream ends when its work is done");
}

// Two streams that wait for each other's events, a long way.
static void PingPong() {
  aclrtStream streams[2] = {NewStream(), NewStream()};
  aclrtEvent events[2] = {};
  for (aclrtEvent& event : events) EXPECT(0, aclrtCreateEvent(&event));
  Gate gate;
  std::vector<int> order;
  struct Step { std::vector<int>* order; int value; };
  std::vector<Step> steps;
  for (int i = 0; i < 200; ++i) steps.push_back({&order, i});
  EXPECT(0, aclrtLaunchHostFunc(streams[0], Gate::Pass, &gate));
  for (int i = 0; i < 200; ++i) {
    int side = i % 2;
    if (i) EXPECT(0, aclrtStreamWaitEvent(streams[side], events[!side]));
    EXPECT(0, aclrtLaunchHostFunc(streams[side], [](void* step) {
      Step* s = static_cast<Step*>(step);
      s->order->push_back(s->value);
    }, &steps[i]));
    EXPECT(0, aclrtRecordEvent(events[side], streams[side]));
  }
  gate.Open();
  EXPECT(0, aclrtSynchronizeDevice());
  Require(order.size() == 200, "every step was made");
  for (int i = 0; i < 200; ++i) Require(order[i] == i, "in the order of the events");
  for (aclrtEvent event : events) EXPECT(0, aclrtDestroyEvent(event));
  for (aclrtStream stream : streams) EXPECT(0, aclrtDestroyStream(stream));
}

static std::atomic<bool> running(true);
static std::atomic<int> timeouts(0);

static void Callbacks() {
  aclrtStream stream = NewStream(), other = NewStream();
  EXPECT(107012, aclrtProcessReport(1), "aclrtSubscribeReport");
  std::atomic<int> count(0);
  EXPECT(107015, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream), "aclrtSubscribe");
  std::thread worker([] {
    while (running) {
      int code = aclrtProcessReport(20);
      timeouts += code == 507012;
    }
  });
  const uint64_t id = worker.native_handle();
  EXPECT(0, aclrtSubscribeReport(id, stream));
  EXPECT(0, aclrtSubscribeReport(id, other));  // a thread may have many streams
  EXPECT(107011, aclrtSubscribeReport(id, stream), "already");
  static std::atomic<uint64_t> where(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT(0, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
    EXPECT(0, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_NO_BLOCK, other));
  }
  EXPECT(0, aclrtLaunchCallback([](void*) { where = pthread_self(); }, nullptr, ACL_CALLBACK_BLOCK,
                                stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(where == id, "callbacks run in the thread that was lent");
  while (count < 200) std::this_thread::yield();  // what does not block is not waited for
  while (timeouts < 2) std::this_thread::yield();
  EXPECT(107012, aclrtUnSubscribeReport(id + 1, stream), "another thread");
  EXPECT(0, aclrtUnSubscribeReport(id, stream));
  EXPECT(107015, aclrtUnSubscribeReport(id, stream), "aclrtSubscribeReport");
  EXPECT(107015, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream), "aclrtSubscribe");
  EXPECT(107000, aclrtLaunchCallback(CountUp, &count, aclrtCallbackBlockType(2), other), "blockType");
  EXPECT(100000, aclrtLaunchCallback(nullptr, &count, ACL_CALLBACK_BLOCK, other), "fn is null");
  EXPECT(107017, aclrtSubscribeReport(id, kNonsense), "stream");
  EXPECT(107000, aclrtProcessReport(-2), "timeout");
  EXPECT(0, aclrtDestroyStream(other));  // with its subscription
  running = false;
  worker.join();
  EXPECT(0, aclrtDestroyStream(stream));
}

// One thread does it all: what it launched waits until it asks for callbacks.
static void CallbacksInOneThread() {
  aclrtStream stream = NewStream();
  std::atomic<int> count(0);
  char to[4] = {};
  EXPECT(0, aclrtSubscribeReport(pthread_self(), stream));
  EXPECT(0, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
  EXPECT(0, aclrtMemcpyAsync(to, 4, "abc", 4, ACL_MEMCPY_HOST_TO_HOST, stream));
  EXPECT(0, aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_NO_BLOCK, stream));
  Require(count == 0 && to[0] == 0 && !IsDone(stream), "the stream waits for this thread");
  EXPECT(0, aclrtProcessReport(-1));
  EXPECT(0, aclrtProcessReport(10000));
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(count == 2 && to[0] == 'a', "and goes on when it has called back");
  EXPECT(507012, aclrtProcessReport(1), "1 ms");
  EXPECT(0, aclrtUnSubscribeReport(pthread_self(), stream));
  EXPECT(0, aclrtDestroyStream(stream));
}

// An operator that fails when its stream comes to it: synchronisation tells.
static void FailsLater(bool stops) {
  Gate gate;
  std::atomic<int> count(0);
  aclrtStream stream = NewStream();
  void* x = nullptr;
  EXPECT(0, aclrtMalloc(&x, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  aclTensor* tensor = Make({16}, x);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclrtSetStreamFailureMode(stream, stops ? ACL_STOP_ON_FAILURE : ACL_CONTINUE_ON_FAILURE));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(tensor, tensor, tensor, &size, &executor));
  EXPECT(0, aclrtLaunchHostFunc(stream, Gate::Pass, &gate));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, executor, stream));
  EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  EXPECT(0, aclrtFree(x));
  gate.Open();
  EXPECT(507015, aclrtSynchronizeStream(stream), "aclnnSiluBackward: ");
  Require(count == !stops, "what comes behind is done or not");
  if (stops)
    EXPECT(507015, aclrtSynchronizeStream(stream), "freed");
  else
    EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclDestroyTensor(tensor));
  EXPECT(0, aclrtDestroyStream(stream));
  EXPECT(0, aclrtSynchronizeDevice());
}

// A stream that is ended by force is not waited for.
static void Force() {
  static Gate gate;  // its function may still be in it at the end
  std::atomic<int> count(0);
  aclrtStream stream = NewStream();
  EXPECT(0, aclrtLaunchHostFunc(stream, Gate::Pass, &gate));
  EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  EXPECT(0, aclrtDestroyStreamForce(stream));
  EXPECT(107017, aclrtSynchronizeStream(stream), "destroyed");
  aclrtStream other = NewStream();
  EXPECT(0, aclrtLaunchHostFunc(other, CountUp, &count));
  EXPECT(0, aclrtSynchronizeStream(other));
  Require(count == 1, "another stream is another stream");
  gate.Open();
  EXPECT(0, aclrtDestroyStream(other));
}

// A stream that is made where another was ended by force has one thread, even if the other's comes
// late: work stays in order.
static void InOrderAfterForce() {
  static std::atomic<int> forced(0);
  for (int round = 0; round < 300; ++round) {
    Gate gate;
    std::atomic<int> count(0);
    aclrtStream first = NewStream();
    EXPECT(0, aclrtLaunchHostFunc(first, CountUp, &forced));
    EXPECT(0, aclrtDestroyStreamForce(first));
    aclrtStream second = NewStream();
    EXPECT(0, aclrtLaunchHostFunc(second, Gate::Pass, &gate));
    EXPECT(0, aclrtLaunchHostFunc(second, CountUp, &count));
    for (int turn = 0; turn < 20; ++turn) std::this_thread::yield();
    Require(count == 0, "what is behind the gate");
    gate.Open();
    EXPECT(0, aclrtSynchronizeStream(second));
    Require(count == 1, "what was behind it");
    EXPECT(0, aclrtDestroyStream(second));
  }
}

// A child has none of the work that its parent's streams still have to do, and streams that work.
static void Fork() {
  Gate gate;
  std::atomic<int> count(0);
  aclrtStream stream = NewStream();
  EXPECT(0, aclrtLaunchHostFunc(stream, Gate::Pass, &gate));
  EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
  pid_t child = fork();
  if (child == 0) {
    EXPECT(0, aclrtSynchronizeStream(stream));
    EXPECT(0, aclrtLaunchHostFunc(stream, CountUp, &count));
    EXPECT(0, aclrtSynchronizeStream(stream));
    _exit(failures || count != 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  Require(status == 0, "the child's streams");
  gate.Open();
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(count == 1, "the parent's streams");
  EXPECT(0, aclrtDestroyStream(stream));
}

static void Numbers() {
  int32_t id = -1, other_id = -1, default_id = -1;
  aclrtStream stream = NewStream(), other = NewStream();
  EXPECT(0, aclrtStreamGetId(stream, &id));
  EXPECT(0, aclrtStreamGetId(other, &other_id));
  EXPECT(0, aclrtStreamGetId(nullptr, &default_id));
  Require(id != other_id && default_id != id && default_id != other_id, "numbers of streams");
  EXPECT(107017, aclrtStreamGetId(kNonsense, &id), "stream");
  EXPECT(107000, aclrtSetStreamFailureMode(stream, 2), "mode is 2");
  EXPECT(100000, aclrtSetStreamFailureMode(nullptr, 0), "null");
  EXPECT(0, aclrtDestroyStream(stream));
  EXPECT(0, aclrtDestroyStream(other));
}

static std::vector<int64_t> ShapeOf(const aclTensor* tensor) {
  int64_t* dims = nullptr;
  uint64_t count = 0;
  EXPECT(0, aclGetViewShape(tensor, &dims, &count));
  std::vector<int64_t> found(dims, dims + count);
  delete[] dims;
  return found;
}

// A shape that data decide is there when the stream has been waited for, and again after another run
// of the same executor. On the CPU what stands before the operator may wait itself.
static void ShapesOfData(bool waits) {
  Gate gate;
  aclrtStream stream = NewStream();
  const int64_t n = 6;
  const std::vector<float> first = {0, 3, 0, 5, 0, 7}, second = {0, 0, 0, 0, 1, 0};
  void *x = nullptr, *out = nullptr, *workspace = nullptr;
  EXPECT(0, aclrtMalloc(&x, n * 4, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMalloc(&out, 2 * n * 8, ACL_MEM_MALLOC_HUGE_FIRST));
  aclTensor *tx = Make({2, 3}, x), *tout = Make({2, n}, out, ACL_INT64);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclnnNonzeroV2GetWorkspaceSize(tx, tout, &size, &executor));
  EXPECT(0, aclSetAclOpExecutorRepeatable(executor));
  EXPECT(0, aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  if (waits) EXPECT(0, aclrtLaunchHostFunc(stream, Gate::Pass, &gate));
  EXPECT(0, aclrtMemcpyAsync(x, n * 4, first.data(), n * 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT(0, aclnnNonzeroV2(workspace, size, executor, stream));
  if (waits) Require(ShapeOf(tout) == std::vector<int64_t>{2, n}, "nothing is known yet");
  gate.Open();
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(ShapeOf(tout) == std::vector<int64_t>{2, 3}, "three are found");
  std::vector<int64_t> places(6);
  EXPECT(0, aclrtMemcpy(places.data(), 48, out, 48, ACL_MEMCPY_DEVICE_TO_HOST));
  Require(places == std::vector<int64_t>{0, 1, 1, 1, 0, 2}, "as rows of the found shape");

  EXPECT(0, aclrtMemcpy(x, n * 4, second.data(), n * 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(0, aclnnNonzeroV2(workspace, size, executor, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  Require(ShapeOf(tout) == std::vector<int64_t>{2, 1}, "one is found");
  aclDestroyTensor(tout);  // a run may end without it
  EXPECT(0, aclnnNonzeroV2(workspace, size, executor, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclDestroyAclOpExecutor(executor));
  aclDestroyTensor(tx);
  EXPECT(0, aclrtDestroyStream(stream));
  for (void* memory : {x, out, workspace}) EXPECT(0, aclrtFree(memory));
}

int main(int argc, char** argv) {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  bool on_cpu = argc > 1 && std::string(argv[1]) == "cpu";
  BehindAHostFunction();
  HostFunctions();
  PingPong();
  Callbacks();
  CallbacksInOneThread();
  ShapesOfData(false);
  if (on_cpu) {  // memory that a GPU uses is freed when it has been used
    ShapesOfData(true);
    FailsLater(false);
    FailsLater(true);
    Force();
    InOrderAfterForce();
    Fork();
  }
  Numbers();
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("streams: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
