// N threads, each with its own stream and tensors, each running all five operators R times.
#include <thread>

#include "check.h"

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 8;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 1000;
  std::vector<std::thread> threads;
  std::vector<int> answers(count, -1);
  aclInit(nullptr);
  for (int k = 0; k < count; ++k) {
    threads.emplace_back([k, rounds, &answers] {
      int status = aclrtSetDevice(0);
      Operators operators(5 + 3 * k);
      for (int i = 0; i < rounds && !status; ++i) {
        aclrtStream stream = nullptr;
        status = aclrtCreateStream(&stream);
        if (!status) status = operators.Run(stream, i + k);
        if (!status) status = aclrtDestroyStream(stream);
      }
      // messages are each thread's own
      aclrtFree(&status);
      const char* message = aclGetRecentErrMsg();
      if (!message || aclGetRecentErrMsg()) status = -2;
      answers[k] = status;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < count; ++k) Expect("a thread", answers[k], 0);
  Require(aclGetRecentErrMsg() == nullptr, "the main thread's message is not a thread's");
  std::printf("%d threads: %s\n", count, failures ? "WRONG" : "right");
  return failures != 0;
}
