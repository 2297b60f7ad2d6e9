// The first call comes from a static initialiser, the last ones from atexit and a static destructor.
#include "check.h"

static int RunOnce() {
  aclrtStream stream = nullptr;
  int status = aclrtCreateStream(&stream);
  {
    Operators operators(6);
    if (!status) status = operators.Run(stream, 1);
  }
  aclrtDestroyStream(stream);
  return status;
}

static void AtExit() {  // registered inside the constructor, so it runs after the destructor
  std::printf("atexit: %d\n", RunOnce());
  aclrtResetDevice(0);
  aclFinalize();
}

struct Whole {
  Whole() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    std::printf("initialiser: %d\n", RunOnce());
    std::atexit(AtExit);
  }
  ~Whole() {
    std::printf("destructor: %d\n", RunOnce());
  }
};
static Whole whole;

int main() {
  std::printf("main: %d\n", RunOnce());
  return 0;
}
