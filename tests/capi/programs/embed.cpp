// A program with Python inside, which it looks after itself. Arguments: Python's library, and what to
// do, a letter each:
//   l  load Python's library            i  initialise Python      f  finalise it
//   r  release the GIL                  g  get it again
//   n  enter a new subinterpreter       m  return to the main one
//   o  call an operator                 t  call one in a thread of its own, which then ends
#include <dlfcn.h>

#include <thread>

#include "check.h"

static void* python = nullptr;

template <typename Result = void, typename... Arguments>
static Result Call(const char* name, Arguments... arguments) {
  auto function = reinterpret_cast<Result (*)(Arguments...)>(dlsym(python, name));
  if (!function) {
    std::printf("no %s: %s\n", name, dlerror());
    std::exit(2);
  }
  return function(arguments...);
}

static void Operator() {
  float data[3] = {1, 1, 1}, out[3] = {};
  aclTensor *x = Make({3}, data), *result = Make({3}, out);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  int status = aclnnSiluBackwardGetWorkspaceSize(x, x, result, &size, &e);
  if (!status) status = aclnnSiluBackward(nullptr, 0, e, nullptr);
  const char* message = aclGetRecentErrMsg();
  if (status)
    std::printf("operator: %d %s\n", status, message ? std::strstr(message, "): ") + 3 : "");
  else
    std::printf("operator: %.4f\n", out[2]);
  std::fflush(stdout);
  aclDestroyTensor(x);
  aclDestroyTensor(result);
}

int main(int, char** argv) {
  void *saved = nullptr, *main_state = nullptr;
  aclrtSetDevice(0);
  for (const char* step = argv[2]; *step; ++step) {
    switch (*step) {
      case 'l': python = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL); break;
      case 'i': Call("Py_InitializeEx", 0); break;
      case 'f': Call<int>("Py_FinalizeEx"); break;
      case 'r': saved = Call<void*>("PyEval_SaveThread"); break;
      case 'g': Call("PyEval_RestoreThread", saved); break;
      case 'n':
        main_state = Call<void*>("PyThreadState_Get");
        Call<void*>("Py_NewInterpreter");
        break;
      case 'm': Call<void*>("PyThreadState_Swap", main_state); break;
      case 'o': Operator(); break;
      case 't': std::thread(Operator).join(); break;
    }
  }
  std::printf("done\n");
}
