// What the test programs share: making tensors, calling every operator, and telling what went wrong.
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"

static int failures = 0;

// A call must answer a code; any code but 0 comes with a message that contains `word`.
static inline void Expect(const char* what, int got, int wanted, const char* word = "") {
  const char* message = aclGetRecentErrMsg();
  bool told = wanted == 0 || (message != nullptr && std::strstr(message, word) != nullptr);
  if (got == wanted && told) return;
  std::printf("WRONG %s: %d instead of %d (message: %s)\n", what, got, wanted,
              message ? message : "none");
  ++failures;
}
#define EXPECT(wanted, call, ...) Expect(#call, (call), wanted, ##__VA_ARGS__)

static inline void Require(bool truth, const char* what) {
  if (truth) return;
  std::printf("WRONG %s\n", what);
  ++failures;
}

static inline aclTensor* Make(const std::vector<int64_t>& shape, void* data,
                              aclDataType type = ACL_FLOAT) {
  return aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND, shape.data(),
                         shape.size(), data);
}

// The five operators on n elements each, results compared with double arithmetic. Returns a status.
class Operators {
 public:
  explicit Operators(int n) : n_(n) {
    for (void*& memory : memory_) aclrtMalloc(&memory, n * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  }
  ~Operators() {
    for (void* memory : memory_) aclrtFree(memory);
  }

  int Run(aclrtStream stream, int seed) {
    std::vector<float> g(n_), x(n_), t(n_), out(n_);
    for (int i = 0; i < n_; ++i) {
      g[i] = 1.0f + (i + seed) % 7;
      x[i] = ((i * 5 + seed) % 41 - 20) * 0.25f;
      t[i] = ((i * 3 + seed) % 17 - 8) * 0.5f;
    }
    const std::vector<float>* sources[] = {&g, &x, &t};
    for (int k = 0; k < 3; ++k) {
      int status = aclrtMemcpy(memory_[k], Bytes(), sources[k]->data(), Bytes(),
                               ACL_MEMCPY_HOST_TO_DEVICE);
      if (status) return status;
    }
    for (int op = 0; op < 5; ++op) {
      int status = Call(op, stream);
      if (!status) status = aclrtSynchronizeStream(stream);
      if (!status)
        status = aclrtMemcpy(out.data(), Bytes(), memory_[3], Bytes(), ACL_MEMCPY_DEVICE_TO_HOST);
      if (status) return status;
      for (int i = 0; i < n_; ++i) {
        double wanted = Value(op, g[i], x[i], t[i]);
        if (std::fabs(out[i] - wanted) > 1e-6 * (1 + std::fabs(wanted))) {
          std::printf("WRONG operator %d at %d: %g instead of %g\n", op, i, out[i], wanted);
          return -1;
        }
      }
    }
    return 0;
  }

 private:
  size_t Bytes() const { return n_ * sizeof(float); }

  int Call(int op, aclrtStream stream) {
    std::vector<aclTensor*> tensors;
    for (void* memory : memory_) tensors.push_back(Make({n_}, memory));
    aclTensor *g = tensors[0], *x = tensors[1], *t = tensors[2], *out = tensors[3];
    float value = 0.125f;
    aclScalar* slope = aclCreateScalar(&value, ACL_FLOAT);
    uint64_t size = 0;
    aclOpExecutor* e = nullptr;
    int status = -1;
    switch (op) {
      case 0: status = aclnnHardsigmoidBackwardGetWorkspaceSize(g, x, out, &size, &e); break;
      case 1: status = aclnnLogSigmoidBackwardGetWorkspaceSize(g, x, t, out, &size, &e); break;
      case 2: status = aclnnSiluBackwardGetWorkspaceSize(g, x, out, &size, &e); break;
      case 3: status = aclnnSmoothL1LossBackwardGetWorkspaceSize(g, x, t, 2, 1.f, out, &size, &e); break;
      case 4: status = aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, true, out, &size, &e); break;
    }
    if (!status) {
      switch (op) {
        case 0: status = aclnnHardsigmoidBackward(nullptr, size, e, stream); break;
        case 1: status = aclnnLogSigmoidBackward(nullptr, size, e, stream); break;
        case 2: status = aclnnSiluBackward(nullptr, size, e, stream); break;
        case 3: status = aclnnSmoothL1LossBackward(nullptr, size, e, stream); break;
        case 4: status = aclnnLeakyReluBackward(nullptr, size, e, stream); break;
      }
    }
    for (aclTensor* tensor : tensors) aclDestroyTensor(tensor);
    aclDestroyScalar(slope);
    return status;
  }

  static double Value(int op, double g, double x, double t) {
    double sigmoid = 1 / (1 + std::exp(-x)), d = x - t;
    switch (op) {
      case 0: return x > -3 && x < 3 ? g / 6 : 0;
      case 1: return g * (1 - sigmoid);
      case 2: return g * sigmoid * (1 + x * (1 - sigmoid));
      case 3: return std::fabs(d) < 1 ? g * d : g * ((d > 0) - (d < 0));
      default: return x > 0 ? g : g * 0.125;
    }
  }

  int n_;
  void* memory_[4] = {};
};

#endif
