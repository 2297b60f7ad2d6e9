// Lets test-backend-ops of llama.cpp go on behind a case that aborts. Preloaded by cases.py.
//
// ggml ends the process where a call of aclnn fails. The functions below stand in front of
// libggml's: an abort within a case becomes an exception that is caught here, the case counts as
// failed, and a line on stdout says why. Several processes share the cases, and one that dies all
// the same is replaced: OPENACLNN_CASES is a file with a byte for each case. Whoever changes TO_RUN
// to TAKEN runs it; a case TO_NAME has killed a process, and only its name is still to be printed.
// The backend keeps a table between cases with ROPE, which is right for their usual order only: with
// OPENACLNN_CASES_ROPE, "only" or "none", they are all of one process.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
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

enum : unsigned char { TO_RUN, TAKEN, TO_NAME };
std::atomic<unsigned char> *states;           // of all cases
size_t count = 0, reached = 0;                // how many there may be, and how many were reached
bool in_case = false, to_name = false;        // a case is under way; it is not to be computed
bool comparing = false;                       // it has all its tensors; copies of them are made

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

void open_states() {
    const char *path = getenv("OPENACLNN_CASES");
    const int file = path ? open(path, O_RDWR) : -1;
    struct stat facts;
    if (file < 0 || fstat(file, &facts)) return;
    count = facts.st_size;
    void *memory = mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) count = 0;
    close(file);
    states = static_cast<std::atomic<unsigned char> *>(memory);
}

bool has_rope(ggml_context *ctx) {
    for (ggml_tensor *one = ggml_get_first_tensor(ctx); one; one = ggml_get_next_tensor(ctx, one))
        if (one->op == GGML_OP_ROPE) return true;
    return false;
}

// Whether the next case is this process's, to be run or named.
bool take(ggml_context *ctx) {
    const size_t number = reached++;
    const char *rope = getenv("OPENACLNN_CASES_ROPE");
    if (rope && has_rope(ctx) != (std::string(rope) == "only")) return false;
    unsigned char state = TO_RUN;
    if (number < count && !states[number].compare_exchange_strong(state, TAKEN) &&
        (state != TO_NAME || !states[number].compare_exchange_strong(state, TAKEN)))
        return false;
    to_name = state == TO_NAME;
    printf("\n@case %zu\n", number);
    return true;
}

void say_stopped() {
    for (char &c : error)
        if (c == '\n') c = ' ';
    printf("\n@stopped %s\n", error.c_str());
}

__attribute__((constructor)) void prepare() {
    setvbuf(stdout, nullptr, _IOLBF, 0);  // what was said survives a process that is killed
    unsetenv("LD_PRELOAD");  // what this program starts has no libggml
    open_states();
    ggml_log_set(keep, nullptr);
    ggml_set_abort_callback(abandon);
}

}  // namespace

extern "C" {

// The first thing that is asked of libggml for a case, perhaps for its weights first. Without memory
// the case is over.
ggml_backend_buffer *ggml_backend_alloc_ctx_tensors(ggml_context *ctx, ggml_backend_t backend) {
    auto *allocate = next<decltype(ggml_backend_alloc_ctx_tensors)>(__func__);
    if (comparing) return allocate(ctx, backend);
    if (!in_case && !take(ctx)) return nullptr;
    error.clear();
    try {
        auto *found = allocate(ctx, backend);
        in_case = found != nullptr;
        return found;
    } catch (const Stopped &) {
        say_stopped();
        in_case = false;
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
    in_case = false;
    if (to_name) return false;
    error.clear();
    copy.reset();
    comparing = true;
    bool good = false;
    try {
        good = next<decltype(ggml_backend_compare_graph_backend)>(__func__)(
            backend1, backend2, graph, callback, user_data, test_nodes, num_test_nodes);
    } catch (const Stopped &) {
        if (copy) ggml_backend_graph_copy_free(*copy);
        say_stopped();
    }
    comparing = false;
    return good;
}

}  // extern "C"
