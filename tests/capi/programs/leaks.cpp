// Operators in a program that is built to find its leaks, in main and in a thread; "leak" makes one.
#include <thread>

#include "check.h"

static void Work() {
  for (int count : {30, 300000}) {  // the latter is shared among threads
    Operators operators(count);
    Expect("operators", operators.Run(nullptr, 1), 0);
  }
}

static void Leak() {
  auto* lost = new float[100];
  volatile auto address = reinterpret_cast<uintptr_t>(lost);
  address = ~address;  // nobody knows it now
}

int main(int argc, char**) {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  Work();
  std::thread(Work).join();
  if (argc > 1) Leak();
  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, nullptr), "null");
  EXPECT(0, aclrtDestroyStream(stream));
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  return failures;
}
