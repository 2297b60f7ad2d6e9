// Lets test-backend-ops of llama.cpp go on behind a case that aborts. Preloaded by cases.py.
//
// ggml ends the process where a call of aclnn fails. The functions below stand in front of
// libggml's: an abort within a case becomes an exception that is caught here, the case counts as
// failed, and a line on stdout says why. A process that dies all the same is started again with
// OPENACLNN_CASES_SKIP, the number of cases that it must not run again.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "ggml-backend.h"
#include "ggml.h"

namespace {

struct Stopped {};

std::string error;                            // what ggml and its backend said of this case
std::optional<struct ggml_backend_graph_copy> copy;  // what an exception would leak
size_t begun = 0;                             // cases that were reached

template <typename Function> Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

void keep(ggml_log_level level, const char *text, void *) {
    if (level == GGML_LOG_LEVEL_ERROR) error += text;
}

void abandon(const char *message) {
    error += message;
    throw Stopped();
}

void say_stopped() {
    for (char &c : error)
        if (c == '\n') c = ' ';
    printf("\n@stopped %s\n", error.c_str());
}

__attribute__((constructor)) void prepare() {
    setvbuf(stdout, nullptr, _IOLBF, 0);  // what was said survives a process that is killed
    ggml_log_set(keep, nullptr);
    ggml_set_abort_callback(abandon);
}

}  // namespace

extern "C" {

ggml_backend_buffer *ggml_backend_alloc_ctx_tensors(ggml_context *ctx, ggml_backend_t backend) {
    error.clear();
    try {
        return next<decltype(ggml_backend_alloc_ctx_tensors)>(__func__)(ctx, backend);
    } catch (const Stopped &) {
        say_stopped();
        return nullptr;
    }
}

struct ggml_backend_graph_copy ggml_backend_graph_copy(ggml_backend_t backend, ggml_cgraph *graph) {
    using Function = struct ggml_backend_graph_copy(ggml_backend_t, ggml_cgraph *);
    copy = next<Function>("ggml_backend_graph_copy")(backend, graph);
    return *copy;
}

bool ggml_backend_compare_graph_backend(ggml_backend_t backend1, ggml_backend_t backend2,
                                        ggml_cgraph *graph, ggml_backend_eval_callback callback,
                                        void *user_data, ggml_tensor const *const *test_nodes,
                                        size_t num_test_nodes) {
    static const char *skip = getenv("OPENACLNN_CASES_SKIP");
    printf("\n@case %zu\n", begun);
    if (begun++ < (skip ? strtoull(skip, nullptr, 10) : 0)) return false;
    error.clear();
    copy.reset();
    try {
        return next<decltype(ggml_backend_compare_graph_backend)>(__func__)(
            backend1, backend2, graph, callback, user_data, test_nodes, num_test_nodes);
    } catch (const Stopped &) {
        if (copy) ggml_backend_graph_copy_free(*copy);
        say_stopped();
        return false;
    }
}

}  // extern "C"
