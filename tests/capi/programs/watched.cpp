// Small programs for the sanitizer, right ones and ones with a bug, each in a process of its own:
// "watched all", or one of them by its name. Prints a line "PID NAME KINDS" for each; KINDS are what
// must be told of that process, or "-".
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_silu_backward.h"

static const int64_t N = 16;
static const size_t BYTES = N * sizeof(float);

static void ok(int status) {
  if (!status) return;
  const char* why = aclGetRecentErrMsg();
  std::fprintf(stdout, "WRONG: %d (%s)\n", status, why ? why : "no message");
  std::fflush(stdout);
  std::exit(1);
}

// Device memory, set to zeros.
static char* Memory(size_t bytes = BYTES) {
  void* made = nullptr;
  ok(aclrtMalloc(&made, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  ok(aclrtMemset(made, bytes, 0, bytes));
  return static_cast<char*>(made);
}

static aclTensor* Tensor(void* data, int64_t n = N) {
  return aclCreateTensor(&n, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &n, 1, data);
}

static aclrtStream Stream() {
  aclrtStream made = nullptr;
  ok(aclrtCreateStream(&made));
  return made;
}

static aclrtEvent Event() {
  aclrtEvent made = nullptr;
  ok(aclrtCreateEventWithFlag(&made, ACL_EVENT_SYNC));
  return made;
}

// An operator that reads one tensor and writes another, between its phases.
struct Silu {
  aclTensor *in, *out;
  aclOpExecutor* executor = nullptr;
  void* workspace = nullptr;
  uint64_t size = 0;
  int status;
  Silu(void* from, void* to, int64_t n = N) : in(Tensor(from, n)), out(Tensor(to, n)) {
    status = aclnnSiluBackwardGetWorkspaceSize(in, in, out, &size, &executor);
  }
  int run(aclrtStream stream) { return aclnnSiluBackward(workspace, size, executor, stream); }
  ~Silu() {
    ok(aclDestroyTensor(in));
    ok(aclDestroyTensor(out));
  }
};

static void Run(void* from, void* to, aclrtStream stream, int64_t n = N) {
  Silu op(from, to, n);
  ok(op.status);
  ok(op.run(stream));
}

static void Free(std::vector<void*> memory) {
  for (void* each : memory) ok(aclrtFree(each));
}

static void Read(const void* memory, size_t bytes = BYTES) {
  std::vector<char> host(bytes);
  ok(aclrtMemcpy(host.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

// Reserved addresses for some pages, and physical memory for them.
struct Pages {
  size_t page = 0;
  char* base = nullptr;
  std::vector<aclrtDrvMemHandle> memory;
  explicit Pages(int reserved, int made) {
    aclrtPhysicalMemProp prop = {};
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    void* place = nullptr;
    ok(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &page));
    ok(aclrtReserveMemAddress(&place, reserved * page, 0, nullptr, 1));
    base = static_cast<char*>(place);
    for (int i = 0; i < made; ++i) {
      memory.push_back(nullptr);
      ok(aclrtMallocPhysical(&memory.back(), page, &prop, 0));
    }
  }
  void map(int at, int which) { ok(aclrtMapMem(base + at * page, page, 0, memory[which], 0)); }
  void unmap(int at) { ok(aclrtUnmapMem(base + at * page)); }
  void end() {
    for (aclrtDrvMemHandle each : memory) ok(aclrtFreePhysical(each));
    ok(aclrtReleaseMemAddress(base));
  }
};

// ---- right ----

static void RegisteredOperand() {
  static float mine[2 * N] = {1, 2, 3};
  void* seen = nullptr;
  ok(aclrtHostRegister(mine, sizeof mine, ACL_HOST_REGISTER_MAPPED, &seen));
  char* out = Memory();
  Run(seen, out, nullptr);
  Run(static_cast<char*>(seen) + BYTES, out, nullptr);  // the second half of it
  ok(aclrtSynchronizeStream(nullptr));
  Read(out);
  ok(aclrtHostUnregister(mine));
  Free({out});
}

static void RegisteredThenPlain() {
  static float mine[N];
  char* memory = Memory();
  for (int round = 0; round < 2; ++round) {
    ok(aclrtHostRegisterV2(mine, sizeof mine, 0));
    ok(aclrtMemcpyAsync(memory, BYTES, mine, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    ok(aclrtSynchronizeStream(nullptr));
    ok(aclrtHostUnregister(mine));
    ok(aclrtMemcpy(mine, BYTES, memory, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  Free({memory});
}

static void MappedAcross() {
  Pages pages(2, 2);
  pages.map(0, 0);
  pages.map(1, 1);
  char* across = pages.base + pages.page - BYTES / 2;
  ok(aclrtMemset(across, BYTES, 0, BYTES));
  Run(across, across, nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  Read(across);
  pages.unmap(0);
  pages.unmap(1);
  pages.end();
}

static void MappedElsewhere() {
  Pages pages(3, 1);
  pages.map(0, 0);
  ok(aclrtMemset(pages.base, pages.page, 1, pages.page));
  pages.unmap(0);
  pages.map(2, 0);
  char* out = Memory();
  Run(pages.base + 2 * pages.page, out, nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  Read(out);
  pages.unmap(2);
  pages.end();
  Free({out});
}

static void SegmentGrows() {
  Pages pages(2, 2);
  aclrtStream stream = Stream();
  pages.map(0, 0);
  ok(aclrtMemsetAsync(pages.base, BYTES, 0, BYTES, stream));
  pages.map(1, 1);  // while the first is in use
  char* behind = pages.base + pages.page - BYTES;
  ok(aclrtMemsetAsync(behind, 2 * BYTES, 0, 2 * BYTES, stream));
  Run(behind, pages.base, stream, 2 * N);
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtFreePhysical(pages.memory[1]));  // what is mapped keeps it
  Read(behind, 2 * BYTES);
  pages.memory.pop_back();
  pages.unmap(1);
  pages.unmap(0);
  pages.end();
  ok(aclrtDestroyStream(stream));
}

static void EventsPingPong() {
  aclrtStream one = Stream(), two = Stream();
  aclrtEvent ping = Event(), pong = Event();
  char *a = Memory(), *b = Memory();
  for (int round = 0; round < 5; ++round) {
    if (round) ok(aclrtStreamWaitEvent(one, pong));
    Run(a, b, one);
    ok(aclrtRecordEvent(ping, one));
    ok(aclrtStreamWaitEvent(two, ping));
    Run(b, a, two);
    ok(aclrtRecordEvent(pong, two));
  }
  ok(aclrtSynchronizeEvent(pong));
  Read(a);
  for (aclrtEvent each : {ping, pong}) ok(aclrtDestroyEvent(each));
  for (aclrtStream each : {one, two}) ok(aclrtDestroyStream(each));
  Free({a, b});
}

static void EventPolled() {
  aclrtStream stream = Stream();
  aclrtEvent event = Event();
  char *a = Memory(), *b = Memory();
  Run(a, b, stream);
  ok(aclrtRecordEvent(event, stream));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE) ok(aclrtQueryEventStatus(event, &status));
  Read(b);
  ok(aclrtDestroyEvent(event));
  ok(aclrtDestroyStream(stream));
  Free({a, b});
}

static void CapturedInTwoStreams() {
  aclrtStream one = Stream(), two = Stream();
  aclrtEvent out = Event(), back = Event();
  char *a = Memory(), *b = Memory(), *c = Memory();
  aclmdlRI model = nullptr;
  ok(aclmdlRICaptureBegin(one, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  Run(a, b, one);
  ok(aclrtRecordEvent(out, one));
  ok(aclrtStreamWaitEvent(two, out));
  Run(b, c, two);
  ok(aclrtRecordEvent(back, two));
  ok(aclrtStreamWaitEvent(one, back));
  ok(aclmdlRICaptureEnd(one, &model));
  float fresh[N] = {1};
  for (int round = 0; round < 3; ++round) {
    ok(aclrtMemcpy(a, BYTES, fresh, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));
    ok(aclmdlRIExecuteAsync(model, one));
    ok(aclrtSynchronizeStream(one));
    Read(c);
  }
  ok(aclmdlRIDestroy(model));
  for (aclrtEvent each : {out, back}) ok(aclrtDestroyEvent(each));
  for (aclrtStream each : {one, two}) ok(aclrtDestroyStream(each));
  Free({a, b, c});
}

static void CaptureBesideAnotherStream() {
  aclrtStream one = Stream(), two = Stream();
  char *a = Memory(), *b = Memory(), *c = Memory();
  aclmdlRI model = nullptr;
  ok(aclmdlRICaptureBegin(one, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  Run(a, b, one);  // not done yet
  Run(b, c, two);  // is done now
  ok(aclmdlRICaptureEnd(one, &model));
  ok(aclrtSynchronizeStream(two));
  ok(aclmdlRIExecuteAsync(model, two));
  ok(aclrtSynchronizeStream(two));
  ok(aclmdlRIDestroy(model));
  for (aclrtStream each : {one, two}) ok(aclrtDestroyStream(each));
  Free({a, b, c});
}

static void ThreadsOfTheirOwn() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      ok(aclrtSetDevice(0));
      aclrtStream stream = Stream();
      char *a = Memory(), *b = Memory();
      for (int round = 0; round < 3; ++round) Run(a, b, stream);
      ok(aclrtSynchronizeStream(stream));
      Read(b);
      ok(aclrtDestroyStream(stream));
      Free({a, b});
      ok(aclrtResetDevice(0));
    });
  for (std::thread& each : threads) each.join();
}

static void ThreadHandsOver() {
  char *a = Memory(), *b = Memory();
  aclrtStream stream = Stream();
  aclrtContext context = nullptr;
  ok(aclrtGetCurrentContext(&context));
  std::thread([&] {
    ok(aclrtSetCurrentContext(context));
    Run(a, b, stream);
  }).join();
  ok(aclrtSynchronizeStream(stream));
  Read(b);
  ok(aclrtDestroyStream(stream));
  Free({a, b});
}

static std::atomic<bool> told;

static void HostFunctionTells() {
  aclrtStream stream = Stream();
  char *a = Memory(), *b = Memory();
  told = false;
  Run(a, b, stream);
  ok(aclrtLaunchHostFunc(stream, [](void*) { told = true; }, nullptr));
  while (!told) std::this_thread::yield();
  Read(b);
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({a, b});
}

// A child; what is to be told of it, or "-".
static pid_t Child(const char* name, const char* kinds, void (*run)(char*), char* memory) {
  pid_t child = fork();
  if (child) {
    std::printf("%d %s %s\n", child, name, kinds);
    std::fflush(stdout);
    waitpid(child, nullptr, 0);
    return child;
  }
  run(memory);
  std::exit(0);
}

static void ForkOfItsOwn() {
  char* a = Memory();
  auto run = [](char* inherited) {
    char* b = Memory();
    Run(inherited, b, nullptr);
    ok(aclrtSynchronizeStream(nullptr));
    Read(b);
    Free({b});
  };
  Child("ForkOfItsOwn/child", "-", run, a);
  Run(a, a, nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  Free({a});
}

// A list of two tensors, and what both are joined to.
struct Joined {
  char *memory[3];
  aclTensor *parts[2], *out;
  aclTensorList* list;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  Joined() {
    for (char*& each : memory) each = Memory(2 * BYTES);
    parts[0] = Tensor(memory[0]);
    parts[1] = Tensor(memory[1]);
    out = Tensor(memory[2], 2 * N);
    list = aclCreateTensorList(parts, 2);
    ok(aclnnCatGetWorkspaceSize(list, 0, out, &size, &executor));
  }
  int run() { return aclnnCat(nullptr, size, executor, nullptr); }
  void end() {
    ok(aclrtSynchronizeStream(nullptr));
    ok(aclDestroyTensorList(list));
    ok(aclDestroyTensor(out));
    Free({memory[0], memory[1], memory[2]});
  }
};

static void ListJoined() {
  Joined cat;
  ok(cat.run());
  cat.end();
}

static void ListRepeated() {
  Joined cat;
  ok(aclSetAclOpExecutorRepeatable(cat.executor));
  for (int round = 0; round < 3; ++round) ok(cat.run());
  ok(aclSetDynamicInputTensorAddr(cat.executor, 0, 1, cat.list, cat.memory[0]));
  ok(cat.run());
  ok(aclrtSynchronizeStream(nullptr));
  ok(aclDestroyAclOpExecutor(cat.executor));
  cat.end();
}

static void ExecutorElsewhere() {
  char *a = Memory(), *b = Memory(), *c = Memory(2 * BYTES);
  Silu op(a, b);
  ok(aclSetAclOpExecutorRepeatable(op.executor));
  ok(op.run(nullptr));
  for (int at = 0; at < 2; ++at) {
    ok(aclSetInputTensorAddr(op.executor, 0, op.in, c + at * BYTES));
    ok(aclSetInputTensorAddr(op.executor, 1, op.in, c + at * BYTES));
    ok(op.run(nullptr));
  }
  ok(aclrtSynchronizeStream(nullptr));
  ok(aclDestroyAclOpExecutor(op.executor));
  Free({a, b, c});
}

static void WorkspaceInOneStream() {
  aclrtStream stream = Stream();
  char *a = Memory(2 * BYTES), *pool = Memory(4096);
  for (int round = 0; round < 4; ++round) {
    Silu op(a, a + 4);  // input and output overlap
    ok(op.status);
    op.workspace = pool;
    ok(op.run(stream));
  }
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({a, pool});
}

// Joined with a tensor of no elements, which needs no memory.
static void ListWithNothing() {
  char *a = Memory(), *out = Memory();
  aclTensor* members[] = {Tensor(a), Tensor(nullptr, 0)};
  aclTensorList* list = aclCreateTensorList(members, 2);
  aclTensor* whole = Tensor(out);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ok(aclnnCatGetWorkspaceSize(list, 0, whole, &size, &executor));
  ok(aclnnCat(nullptr, size, executor, nullptr));
  ok(aclrtSynchronizeStream(nullptr));
  ok(aclDestroyTensorList(list));
  ok(aclDestroyTensor(whole));
  Free({a, out});
}

// Physical memory at two addresses: written at one, read at the other.
static void MappedTwice() {
  Pages pages(3, 1);
  pages.map(0, 0);
  pages.map(2, 0);
  char* a = Memory();
  Run(a, pages.base, nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  Run(pages.base + 2 * pages.page, a, nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  Read(a);
  pages.unmap(0);
  pages.unmap(2);
  pages.end();
  Free({a});
}

// Another thread is lent to a stream and runs its callbacks.
static void CallbackInALentThread() {
  static std::atomic<bool> ends, called;
  ends = called = false;
  std::thread lent([] {
    ok(aclrtSetDevice(0));
    while (!ends) aclrtProcessReport(20);
  });
  aclrtStream stream = Stream();
  const uint64_t thread = static_cast<uint64_t>(lent.native_handle());
  ok(aclrtSubscribeReport(thread, stream));
  char *a = Memory(), *b = Memory();
  Run(a, b, stream);
  auto tell = [](void*) { called = true; };
  ok(aclrtLaunchCallback(tell, nullptr, ACL_CALLBACK_BLOCK, stream));
  Run(b, a, stream);
  ok(aclrtSynchronizeStream(stream));
  Read(a);
  ok(aclrtUnSubscribeReport(thread, stream));
  ends = true;
  lent.join();
  ok(called ? 0 : 1);
  ok(aclrtDestroyStream(stream));
  Free({a, b});
}

// ---- with a bug ----

static void UnmappedBetweenPhases() {
  Pages pages(1, 1);
  pages.map(0, 0);
  ok(aclrtMemset(pages.base, BYTES, 0, BYTES));
  char* out = Memory();
  Silu op(pages.base, out);
  pages.unmap(0);
  op.run(nullptr);
  aclDestroyAclOpExecutor(op.executor);
  pages.end();
  Free({out});
}

static void HalfUnmapped() {
  Pages pages(2, 2);
  pages.map(0, 0);
  pages.map(1, 1);
  char *across = pages.base + pages.page - BYTES / 2, *out = Memory();
  ok(aclrtMemset(across, BYTES, 0, BYTES));
  Silu op(across, out);
  pages.unmap(1);
  op.run(nullptr);
  aclDestroyAclOpExecutor(op.executor);
  pages.unmap(0);
  pages.end();
  Free({out});
}

static void MappedWithAGap() {
  Pages pages(3, 2);
  pages.map(0, 0);
  pages.map(2, 1);
  char* out = Memory();
  Silu op(pages.base + pages.page - BYTES / 2, out);
  pages.unmap(0);
  pages.unmap(2);
  pages.end();
  Free({out});
}

static void UnmappedWhileQueued() {
  Pages pages(1, 1);
  aclrtStream stream = Stream();
  pages.map(0, 0);
  ok(aclrtMemsetAsync(pages.base, BYTES, 0, BYTES, stream));
  aclrtUnmapMem(pages.base);
  ok(aclrtSynchronizeStream(stream));
  pages.end();
  ok(aclrtDestroyStream(stream));
}

static void PhysicalNeverFreed() {
  Pages pages(1, 2);
  pages.memory.pop_back();
  pages.map(0, 0);
  pages.unmap(0);
  pages.end();
}

static void MappedForEver() {
  Pages pages(1, 1);
  pages.map(0, 0);
  ok(aclrtFreePhysical(pages.memory[0]));
}

static void PhysicalFreedTwice() {
  Pages pages(1, 1);
  pages.end();
  aclrtFreePhysical(pages.memory[0]);
}

static void UnregisteredOperand() {
  static float mine[N];
  void* seen = nullptr;
  ok(aclrtHostRegister(mine, sizeof mine, ACL_HOST_REGISTER_MAPPED, &seen));
  ok(aclrtHostUnregister(mine));
  char* out = Memory();
  Silu op(seen, out);
  if (!op.status) ok(aclDestroyAclOpExecutor(op.executor));  // a CPU reads it all the same
  Free({out});
}

static void RegisteredTooSmall() {
  static float mine[N];
  void* seen = nullptr;
  ok(aclrtHostRegister(mine, BYTES / 2, ACL_HOST_REGISTER_MAPPED, &seen));
  char* out = Memory();
  Silu op(seen, out);
  ok(aclrtHostUnregister(mine));
  Free({out});
}

static void UnregisteredWhileQueued() {
  static float mine[N];
  char* memory = Memory();
  aclrtStream stream = Stream();
  ok(aclrtHostRegisterV2(mine, sizeof mine, 0));
  ok(aclrtMemcpyAsync(memory, BYTES, mine, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtHostUnregister(mine);
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({memory});
}

static void EventTooEarly() {
  aclrtStream one = Stream(), two = Stream();
  aclrtEvent event = Event();
  char *a = Memory(), *b = Memory(), *c = Memory();
  ok(aclrtRecordEvent(event, one));  // before the work
  Run(a, b, one);
  ok(aclrtStreamWaitEvent(two, event));
  Run(b, c, two);
  for (aclrtStream each : {one, two}) ok(aclrtSynchronizeStream(each));
  for (aclrtStream each : {one, two}) ok(aclrtDestroyStream(each));
  ok(aclrtDestroyEvent(event));
  Free({a, b, c});
}

static void AnotherStreamWaitedFor() {
  aclrtStream one = Stream(), two = Stream();
  char *a = Memory(), *b = Memory(), *c = Memory();
  Run(a, b, one);
  Run(a, c, two);
  ok(aclrtSynchronizeStream(two));
  Read(b);
  ok(aclrtSynchronizeStream(one));
  for (aclrtStream each : {one, two}) ok(aclrtDestroyStream(each));
  Free({a, b, c});
}

static void CapturedMemoryFreed() {
  aclrtStream stream = Stream();
  char *a = Memory(), *b = Memory();
  aclmdlRI model = nullptr;
  ok(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  Run(a, b, stream);
  ok(aclmdlRICaptureEnd(stream, &model));
  Free({a});
  aclmdlRIExecuteAsync(model, stream);
  aclrtSynchronizeStream(stream);
  ok(aclmdlRIDestroy(model));
  ok(aclrtDestroyStream(stream));
  Free({b});
}

static void ModelEndsTooEarly() {
  aclrtStream stream = Stream();
  char *a = Memory(), *b = Memory();
  aclmdlRI model = nullptr;
  ok(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  Run(a, b, stream);
  ok(aclmdlRICaptureEnd(stream, &model));
  ok(aclmdlRIExecuteAsync(model, stream));
  aclmdlRIDestroy(model);
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({a, b});
}

static void ThreadsWriteTheSame() {
  char *a = Memory(), *b = Memory();
  aclrtStream streams[2] = {Stream(), Stream()};
  for (aclrtStream stream : streams)
    std::thread([=] {
      ok(aclrtSetDevice(0));
      Run(a, b, stream);
      ok(aclrtResetDevice(0));
    }).join();
  for (aclrtStream each : streams) ok(aclrtSynchronizeStream(each));
  for (aclrtStream each : streams) ok(aclrtDestroyStream(each));
  Free({a, b});
}

static void ThreadFreesTooEarly() {
  char *a = Memory(), *b = Memory();
  aclrtStream stream = Stream();
  Run(a, b, stream);
  std::thread([=] {
    ok(aclrtSetDevice(0));
    aclrtFree(a);
    ok(aclrtResetDevice(0));
  }).join();
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({b});
}

static void ThreadWithoutADevice() {
  std::thread([] {
    char* memory = Memory();
    Free({memory});
  }).join();
}

static void ForkedChildLeaks() {
  char* a = Memory();
  Child("ForkedChildLeaks/child", "leak", [](char*) { Memory(); }, a);
  Free({a});
}

static void ForkedChildFreesTwice() {
  char* a = Memory();
  auto run = [](char*) {
    char* b = Memory();
    Free({b});
    aclrtFree(b);
  };
  Child("ForkedChildFreesTwice/child", "double-free", run, a);
  Free({a});
}

static void MemberDestroyedToo() {
  Joined cat;
  ok(cat.run());
  cat.end();
  aclDestroyTensor(cat.parts[1]);
}

static void MemberUsedAfterItsList() {
  char* out = Memory();
  aclTensor *x = Tensor(out), *y = Tensor(out);
  aclTensorList* list = aclCreateTensorList(&x, 1);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ok(aclDestroyTensorList(list));
  aclnnSiluBackwardGetWorkspaceSize(x, y, y, &size, &executor);
  ok(aclDestroyTensor(y));
  Free({out});
}

static void MembersMemoryFreed() {
  Joined cat;
  Free({cat.memory[1]});
  cat.run();
  aclDestroyAclOpExecutor(cat.executor);
  ok(aclDestroyTensorList(cat.list));
  ok(aclDestroyTensor(cat.out));
  Free({cat.memory[0], cat.memory[2]});
}

static void ReplacedBySmaller() {
  char *a = Memory(), *b = Memory(), *small = Memory(BYTES / 2);
  Silu op(a, b);
  ok(aclSetAclOpExecutorRepeatable(op.executor));
  aclSetInputTensorAddr(op.executor, 0, op.in, small);
  op.run(nullptr);
  ok(aclrtSynchronizeStream(nullptr));
  ok(aclDestroyAclOpExecutor(op.executor));
  Free({a, b, small});
}

// A buffer is filled again before the stream that reads it says that it has.
static void BufferFilledTooEarly() {
  aclrtStream fills = Stream(), reads = Stream();
  aclrtEvent full = Event();
  char *in = Memory(), *buffer = Memory(), *out = Memory();
  for (int round = 0; round < 2; ++round) {
    Run(in, buffer, fills);
    ok(aclrtRecordEvent(full, fills));
    ok(aclrtStreamWaitEvent(reads, full));
    Run(buffer, out, reads);
  }
  ok(aclrtSynchronizeDevice());
  ok(aclrtDestroyEvent(full));
  ok(aclrtDestroyStream(fills));
  ok(aclrtDestroyStream(reads));
  Free({in, buffer, out});
}

static void ModelInTwoStreams() {
  aclrtStream a = Stream(), b = Stream();
  char *in = Memory(), *out = Memory();
  aclmdlRI model = nullptr;
  ok(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  Run(in, out, a);
  ok(aclmdlRICaptureEnd(a, &model));
  ok(aclmdlRIExecuteAsync(model, a));
  ok(aclmdlRIExecuteAsync(model, b));
  ok(aclrtSynchronizeDevice());
  ok(aclmdlRIDestroy(model));
  ok(aclrtDestroyStream(a));
  ok(aclrtDestroyStream(b));
  Free({in, out});
}

static void EventEndsTooEarly() {
  aclrtStream a = Stream(), b = Stream();
  aclrtEvent event = Event();
  char *in = Memory(), *out = Memory();
  Run(in, out, a);
  ok(aclrtRecordEvent(event, a));
  ok(aclrtStreamWaitEvent(b, event));
  ok(aclrtDestroyEvent(event));
  ok(aclrtSynchronizeDevice());
  ok(aclrtDestroyStream(a));
  ok(aclrtDestroyStream(b));
  Free({in, out});
}

static void PinnedFreedWhileQueued() {
  aclrtStream stream = Stream();
  void* host = nullptr;
  ok(aclrtMallocHost(&host, BYTES));
  std::memset(host, 0, BYTES);
  char* memory = Memory();
  ok(aclrtMemcpyAsync(memory, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ok(aclrtFreeHost(host));
  ok(aclrtSynchronizeStream(stream));
  ok(aclrtDestroyStream(stream));
  Free({memory});
}

struct Case {
  const char *name, *kinds;
  void (*run)();
};
#define RIGHT(name) {#name, "-", name}
#define WRONG(name, kinds) {#name, kinds, name}
static const Case CASES[] = {
    RIGHT(RegisteredOperand), RIGHT(RegisteredThenPlain), RIGHT(MappedAcross),
    RIGHT(MappedElsewhere), RIGHT(SegmentGrows), RIGHT(EventsPingPong), RIGHT(EventPolled),
    RIGHT(CapturedInTwoStreams), RIGHT(CaptureBesideAnotherStream), RIGHT(ThreadsOfTheirOwn),
    RIGHT(ThreadHandsOver), RIGHT(HostFunctionTells), RIGHT(ForkOfItsOwn), RIGHT(ListJoined),
    RIGHT(ListRepeated), RIGHT(ExecutorElsewhere), RIGHT(WorkspaceInOneStream),
    RIGHT(ListWithNothing), RIGHT(MappedTwice), RIGHT(CallbackInALentThread),
    WRONG(UnmappedBetweenPhases, "use-after-free"),
    WRONG(HalfUnmapped, "use-after-free"),
    WRONG(MappedWithAGap, "out-of-bounds"),
    WRONG(UnmappedWhileQueued, "free-while-queued"),
    WRONG(PhysicalNeverFreed, "leak"),
    WRONG(MappedForEver, "leak"),
    WRONG(PhysicalFreedTwice, "double-free"),
    WRONG(UnregisteredOperand, "wrong-side"),
    WRONG(RegisteredTooSmall, "out-of-bounds"),
    WRONG(UnregisteredWhileQueued, "free-while-queued"),
    WRONG(EventTooEarly, "race"),
    WRONG(AnotherStreamWaitedFor, "unsynchronised-read"),
    WRONG(CapturedMemoryFreed, "use-after-free"),
    WRONG(ModelEndsTooEarly, "destroy-while-queued"),
    WRONG(ThreadsWriteTheSame, "race"),
    WRONG(ThreadFreesTooEarly, "free-while-queued"),
    WRONG(ThreadWithoutADevice, "api-order"),
    RIGHT(ForkedChildLeaks), RIGHT(ForkedChildFreesTwice),  // their children are wrong
    WRONG(MemberDestroyedToo, "double-destroy"),
    WRONG(MemberUsedAfterItsList, "use-after-destroy"),
    WRONG(MembersMemoryFreed, "use-after-free"),
    WRONG(ReplacedBySmaller, "out-of-bounds"),
    WRONG(BufferFilledTooEarly, "race"),
    WRONG(ModelInTwoStreams, "race"),
    WRONG(EventEndsTooEarly, "destroy-while-queued"),
    WRONG(PinnedFreedWhileQueued, "free-while-queued"),
};

static void Start() {
  ok(aclInit(nullptr));
  ok(aclrtSetDevice(0));
}

int main(int, char** arguments) {
  const bool all = !std::strcmp(arguments[1], "all");
  if (all) {  // what children need is made once, before them
    Start();
    ListJoined();
    RegisteredThenPlain();
    RegisteredOperand();
  }
  for (const Case& each : CASES) {
    if (!all && std::strcmp(arguments[1], each.name)) continue;
    pid_t child = all ? fork() : 0;
    if (child) {
      waitpid(child, nullptr, 0);
      continue;
    }
    std::printf("%d %s %s\n", getpid(), each.name, each.kinds);
    std::fflush(stdout);
    if (!all) Start();
    each.run();
    std::exit(0);
  }
}
