// A thread makes the process's first call; so many microseconds later the process forks. Parent and
// child must compute, whatever the thread was doing.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "check.h"

static int Work() {
  Operators operators(100);
  return operators.Run(nullptr, 1);
}

int main(int, char** argv) {
  const int kLongest = 900;  // seconds: whatever takes longer hangs
  EXPECT(0, aclrtSetDevice(0));
  std::thread thread([] { Expect("the thread", Work(), 0); });
  usleep(static_cast<useconds_t>(std::atoi(argv[1])));
  const pid_t child = fork();
  if (child == 0) {
    alarm(kLongest);
    _exit(Work() ? 2 : 0);
  }
  int code = 0;
  waitpid(child, &code, 0);
  if (WIFSIGNALED(code) && WTERMSIG(code) == SIGALRM) std::printf("the child hangs\n");
  Expect("the child", code, 0);
  thread.join();
  Expect("the parent", Work(), 0);
  return failures != 0;
}
