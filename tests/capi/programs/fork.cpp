// Calls before a fork, then in parent and child, while other threads are calling too.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "check.h"

static int Work(int rounds) {
  aclrtStream stream = nullptr;
  int status = aclrtCreateStream(&stream);
  Operators operators(1000);
  for (int i = 0; i < rounds && !status; ++i) status = operators.Run(stream, i);
  aclrtDestroyStream(stream);
  return status;
}

int main(int argc, char** argv) {
  const bool before = argc < 2 || std::strcmp(argv[1], "first-in-child") != 0;
  EXPECT(0, aclrtSetDevice(0));
  if (before) EXPECT(0, Work(3));
  std::atomic<bool> stop(false);
  std::thread busy([&] {
    while (before && !stop) Work(1);
  });
  for (int i = 0; i < 5; ++i) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(900);
      int status = Work(5);
      // a grandchild as well
      const pid_t grandchild = fork();
      if (grandchild == 0) _exit(Work(2) ? 3 : 0);
      int code = 0;
      waitpid(grandchild, &code, 0);
      _exit(status || code ? 2 : 0);
    }
    int code = 0;
    waitpid(child, &code, 0);
    Expect("the child", code, 0);
    Expect("the parent", Work(5), 0);
  }
  stop = true;
  busy.join();
  std::printf("forks: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
