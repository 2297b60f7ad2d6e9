// Two mistakes of each kind that the sanitizer knows, and the same mended: "sanitized bugs" and
// "sanitized mended". A line that a report must name says so: "bug: kind" where it shows, "cause:
// kind" where it comes from.
#include "acl/acl.h"
#include "acl/acl_mdl.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"

#include <cstdint>
#include <cstring>
#include <vector>

static bool bugs;
static const size_t BYTES = 48;
static float host[24];

static void *memory(size_t bytes = BYTES)
{
    void *made = nullptr;
    aclrtMalloc(&made, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(made, bytes, 0, bytes);
    return made;
}

static aclTensor *tensor(void *data, int64_t offset = 0)
{
    const int64_t shape[] = {3, 4};
    return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, offset, ACL_FORMAT_ND, shape, 2, data);
}

static void destroy(std::vector<aclTensor *> tensors)
{
    for (aclTensor *each : tensors)
        aclDestroyTensor(each);
}

static void leaks()
{
    for (int i = 0; i < 3; i++) {
        void *made, *pinned;
        aclrtMalloc(&made, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);  // bug: leak
        aclrtMallocHost(&pinned, BYTES);                       // bug: leak
        aclrtMemset(made, BYTES, 0, BYTES);
        if (!bugs) {
            aclrtFree(made);
            aclrtFreeHost(pinned);
        }
    }
}

static void frees()
{
    void *made = memory(), *pinned, *inside = memory();  // cause: invalid-free
    aclrtMallocHost(&pinned, BYTES);
    aclrtFree(made);        // cause: double-free
    aclrtFreeHost(pinned);  // cause: double-free
    if (bugs) {
        aclrtFree(made);                   // bug: double-free
        aclrtFreeHost(pinned);             // bug: double-free
        aclrtFree((char *)inside + 16);    // bug: invalid-free
        aclrtFree(host);                   // bug: invalid-free
    }
    aclrtFree(inside);
}

static void uses_after_free(aclrtStream stream)
{
    void *a = memory(), *b = memory(), *c = memory(), *copied = memory();
    aclTensor *x = tensor(a), *y = tensor(b), *z = tensor(c);
    uint64_t size;
    aclOpExecutor *executor;
    aclnnSiluBackwardGetWorkspaceSize(x, y, z, &size, &executor);
    if (bugs) {
        aclrtFree(a);                                         // cause: use-after-free
        aclnnSiluBackward(nullptr, 0, executor, stream);      // bug: use-after-free
        aclDestroyAclOpExecutor(executor);
        aclrtFree(copied);                                    // cause: use-after-free
        aclrtMemcpy(host, BYTES, copied, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);  // bug: use-after-free
        aclnnSiluBackwardGetWorkspaceSize(x, y, z, &size, &executor);        // bug: use-after-free
    } else {
        aclnnSiluBackward(nullptr, 0, executor, stream);
        aclrtSynchronizeStream(stream);
        aclrtFree(a);
        aclrtFree(copied);
    }
    aclrtFree(b);
    aclrtFree(c);
    destroy({x, y, z});
}

static void bounds()
{
    void *a = memory(), *b = memory(), *small = memory(bugs ? 40 : 48);  // cause: out-of-bounds
    aclTensor *x = tensor(a), *y = tensor(b), *z = tensor(small);
    uint64_t size;
    aclOpExecutor *executor;
    int64_t shape[] = {3, 4}, strides[] = {4, 1}, backwards[] = {-4, 1};
    aclnnSiluBackwardGetWorkspaceSize(x, y, z, &size, &executor);        // bug: out-of-bounds
    if (!bugs)
        aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclTensor *back = aclCreateTensor(shape, 2, ACL_FLOAT, bugs ? backwards : strides, 0,
                                      ACL_FORMAT_ND, shape, 2, b);
    aclnnSiluBackwardGetWorkspaceSize(back, back, x, &size, &executor);  // bug: out-of-bounds
    if (!bugs)
        aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclrtSynchronizeDevice();
    size_t bytes = bugs ? 64 : 48;
    aclrtMemcpy(a, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE);       // bug: out-of-bounds
    aclrtMemcpy(a, bugs ? 16 : 48, host, 48, ACL_MEMCPY_HOST_TO_DEVICE); // bug: out-of-bounds
    aclrtMemset(b, bytes, 0, bytes);                                     // bug: out-of-bounds
    aclrtSynchronizeDevice();
    destroy({x, y, z, back});
    aclrtFree(a);
    aclrtFree(b);
    aclrtFree(small);
}

static void loops_that_are_too_long()
{
    char *pinned, *other;
    aclrtMallocHost((void **)&pinned, BYTES);  // cause: out-of-bounds
    aclrtMallocHost((void **)&other, BYTES);   // cause: out-of-bounds
    for (size_t i = 0; i < BYTES + bugs; i++) {
        pinned[i] = 1;
        other[i - bugs] = 1;
    }
    aclrtFreeHost(pinned);                     // bug: out-of-bounds
    aclrtFreeHost(other);                      // bug: out-of-bounds
}

static void sides()
{
    void *a = memory(), *pinned;
    aclrtMallocHost(&pinned, BYTES);                               // cause: wrong-side
    aclTensor *x = tensor(a), *y = tensor(bugs ? (void *)host : a), *z = tensor(a);
    uint64_t size;
    aclOpExecutor *executor;
    auto kind = bugs ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE;
    aclrtMemcpy(a, BYTES, pinned, BYTES, kind);                    // bug: wrong-side
    aclnnSiluBackwardGetWorkspaceSize(x, y, z, &size, &executor);  // bug: wrong-side // bug: executor-never-run
    if (bugs)
        aclrtFree(pinned);                                         // bug: wrong-side
    else
        aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclrtSynchronizeDevice();
    destroy({x, y, z});
    aclrtFree(a);
    aclrtFreeHost(pinned);
}

static void object_leaks()
{
    void *a = memory();
    const int64_t shape[] = {3, 4};
    float one = 1;
    aclrtEvent event;
    aclTensor *x = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, a);  // bug: object-leak
    aclScalar *scalar = aclCreateScalar(&one, ACL_FLOAT);  // bug: object-leak
    aclIntArray *array = aclCreateIntArray(shape, 2);      // bug: object-leak
    aclTensor *member = tensor(a);
    aclTensorList *list = aclCreateTensorList(&member, 1); // bug: object-leak
    aclrtCreateEvent(&event);                              // bug: object-leak
    if (!bugs) {
        aclDestroyTensor(x);
        aclDestroyScalar(scalar);
        aclDestroyIntArray(array);
        aclDestroyTensorList(list);
        aclrtDestroyEvent(event);
    }
    aclrtFree(a);
}

static void handles()
{
    void *a = memory();
    float one = 1;
    aclTensor *x = tensor(a), *gone = tensor(a), *member = tensor(a);
    aclScalar *scalar = aclCreateScalar(&one, ACL_FLOAT);              // cause: wrong-handle
    aclTensorList *list = aclCreateTensorList(&member, 1);
    uint64_t size;
    aclOpExecutor *executor;
    if (bugs) {
        aclnnSiluBackwardGetWorkspaceSize((aclTensor *)scalar, x, x, &size, &executor);  // bug: wrong-handle
        aclDestroyTensor((aclTensor *)host);                           // bug: wrong-handle
        aclDestroyTensor(gone);         // cause: double-destroy // cause: use-after-destroy
        aclDestroyTensor(gone);                                        // bug: double-destroy
        aclnnSiluBackwardGetWorkspaceSize(gone, x, x, &size, &executor);  // bug: use-after-destroy
        int64_t *dims;
        uint64_t count;
        aclGetViewShape(gone, &dims, &count);                          // bug: use-after-destroy
        aclDestroyTensor(member);       // cause: double-destroy
        aclDestroyTensorList(list);                                    // bug: double-destroy
    } else {
        aclDestroyTensor(gone);
        aclDestroyTensorList(list);
    }
    aclDestroyTensor(x);
    aclDestroyScalar(scalar);
    aclrtFree(a);
}

static void executors(aclrtStream stream)
{
    void *a = memory(96), *workspace;
    aclTensor *x = tensor(a), *z = tensor(a, 12), *shifted = tensor(a, 1);
    uint64_t size;
    aclOpExecutor *executor, *never;
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    if (!bugs)
        aclSetAclOpExecutorRepeatable(executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);          // cause: executor-reused
    aclnnSiluBackward(nullptr, 0, executor, stream);          // bug: executor-reused
    aclrtSynchronizeStream(stream);
    aclDestroyAclOpExecutor(executor);
    for (int i = 0; i < 2; i++) {
        aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &never);  // bug: executor-never-run
        if (!bugs)
            aclnnSiluBackward(nullptr, 0, never, stream);
    }
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);  // cause: executor-mismatch // bug: executor-never-run
    if (bugs)
        aclnnHardsigmoidBackward(nullptr, 0, executor, stream);    // bug: executor-mismatch
    else
        aclnnSiluBackward(nullptr, 0, executor, stream);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);  // cause: workspace-null // bug: executor-never-run
    aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (bugs)
        aclnnSiluBackward(nullptr, 0, executor, stream);           // bug: workspace-null
    aclnnSiluBackward(workspace, bugs ? size - 1 : size, executor, stream);  // bug: workspace-too-small
    aclrtSynchronizeStream(stream);
    aclrtFree(workspace);
    destroy({x, z, shifted});
    aclrtFree(a);
}

static void executors_again(aclrtStream stream)
{
    void *a = memory(96), *workspace = memory(), *small = memory(16);
    aclTensor *x = tensor(a), *z = tensor(a, 12), *shifted = tensor(a, 1);
    uint64_t size;
    aclOpExecutor *executor, *other;
    aclnnHardsigmoidBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    aclnnHardsigmoidBackward(nullptr, 0, executor, stream);        // cause: executor-reused
    aclrtSynchronizeStream(stream);
    if (bugs)
        aclnnHardsigmoidBackward(nullptr, 0, executor, nullptr);   // bug: executor-reused
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);  // cause: executor-mismatch
    aclnnHardsigmoidBackwardGetWorkspaceSize(x, x, z, &size, &other);
    aclnnSiluBackward(nullptr, 0, bugs ? other : executor, stream);  // bug: executor-mismatch
    aclnnHardsigmoidBackward(nullptr, 0, bugs ? executor : other, stream);  // bug: executor-mismatch
    aclDestroyAclOpExecutor(executor);
    aclDestroyAclOpExecutor(other);
    aclnnHardsigmoidBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);  // cause: workspace-too-small
    if (bugs)
        aclnnHardsigmoidBackward(nullptr, size, executor, stream);  // bug: workspace-null
    aclnnHardsigmoidBackward(bugs ? small : workspace, bugs ? 16 : size, executor, stream);  // bug: workspace-too-small
    aclrtSynchronizeStream(stream);
    aclDestroyAclOpExecutor(executor);
    destroy({x, z, shifted});
    for (void *each : {a, workspace, small})
        aclrtFree(each);
}

static void run(aclTensor *x, aclTensor *z, aclrtStream stream)
{
    uint64_t size;
    aclOpExecutor *executor;
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);
}

static void reads(aclrtStream stream)
{
    void *a = memory(), *b = memory();
    aclTensor *x = tensor(a), *z = tensor(b);
    uint64_t size;
    aclOpExecutor *executor;
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);                 // cause: unsynchronised-read
    if (!bugs)
        aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, BYTES, b, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);   // bug: unsynchronised-read
    aclrtSynchronizeStream(stream);
    aclrtMemcpyAsync(a, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, stream);  // cause: unsynchronised-read
    if (!bugs)
        aclrtSynchronizeDevice();
    aclrtMemcpy(b, BYTES, a, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE);    // bug: unsynchronised-read
    aclrtSynchronizeStream(stream);
    destroy({x, z});
    aclrtFree(a);
    aclrtFree(b);
}

static void races(aclrtStream stream)
{
    void *a = memory(), *b = memory();
    aclTensor *x = tensor(a), *z = tensor(b);
    aclrtStream other;
    aclrtEvent event;
    aclrtCreateStream(&other);
    aclrtCreateEvent(&event);
    run(x, z, stream);                                                 // cause: race
    aclrtRecordEvent(event, stream);
    if (!bugs)
        aclrtStreamWaitEvent(other, event);
    aclrtMemcpyAsync(a, BYTES, b, BYTES, ACL_MEMCPY_DEVICE_TO_DEVICE, other);  // bug: race
    aclrtSynchronizeStream(other);
    aclrtSynchronizeStream(stream);
    aclrtMemsetAsync(a, BYTES, 1, BYTES, other);                       // cause: race
    if (!bugs)
        aclrtSynchronizeStream(other);
    aclrtMemset(a, BYTES, 0, BYTES);                                   // bug: race
    aclrtMemsetAsync(a, BYTES, 1, BYTES, other);
    if (!bugs) {
        aclrtRecordEvent(event, other);
        aclrtSynchronizeEvent(event);
    }
    aclrtDestroyStream(other);                                         // bug: destroy-while-queued
    aclrtDestroyEvent(event);
    destroy({x, z});
    aclrtFree(a);
    aclrtFree(b);
}

static void frees_too_early(aclrtStream stream)
{
    void *b = memory(), *large = memory(96), *workspace;
    aclTensor *y = tensor(large), *z = tensor(large, 1);
    uint64_t size;
    aclOpExecutor *executor;
    aclnnSiluBackwardGetWorkspaceSize(y, y, z, &size, &executor);
    aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    aclnnSiluBackward(workspace, size, executor, stream);              // cause: free-while-queued
    if (!bugs)
        aclrtSynchronizeStream(stream);
    aclrtFree(workspace);                                              // bug: free-while-queued
    aclrtMemsetAsync(b, BYTES, 0, BYTES, stream);                      // cause: free-while-queued
    if (!bugs)
        aclrtSynchronizeStream(stream);
    aclrtFree(b);                                                      // bug: free-while-queued
    aclrtSynchronizeStream(stream);
    destroy({y, z});
    aclrtFree(large);
}

static void nobody_wrote(aclrtStream stream)
{
    void *a, *b, *c = memory(), *d;
    aclrtMalloc(&a, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);               // cause: uninitialised-read
    aclrtMalloc(&b, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);               // cause: uninitialised-read
    aclrtMalloc(&d, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);               // cause: uninitialised-copy
    aclTensor *x = tensor(a), *y = tensor(b), *z = tensor(c);
    uint64_t size;
    aclOpExecutor *executor;
    if (!bugs)
        aclrtMemset(a, BYTES, 0, BYTES);
    aclrtMemcpy(b, BYTES, host, bugs ? 40 : 48, ACL_MEMCPY_HOST_TO_DEVICE);
    aclnnSiluBackwardGetWorkspaceSize(x, z, z, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);                 // bug: uninitialised-read
    aclnnSiluBackwardGetWorkspaceSize(z, y, z, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);                 // bug: uninitialised-read
    aclrtSynchronizeStream(stream);
    const int64_t shape[] = {3, 2}, strides[] = {4, 2}, all = 12;  // every second element
    aclTensor *gaps = aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, &all, 1, d);
    aclTensor *some = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, c);
    aclnnSiluBackwardGetWorkspaceSize(some, some, gaps, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, 4, (char *)d + 8, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    if (!bugs)
        aclrtMemset((char *)d + 12, 36, 0, 36);
    aclrtMemcpy(host, 4, (char *)d + 12, 4, ACL_MEMCPY_DEVICE_TO_HOST);  // bug: uninitialised-copy
    aclrtMemcpyAsync(host, 8, (char *)d + 40, 8, ACL_MEMCPY_DEVICE_TO_HOST, stream);  // bug: uninitialised-copy
    aclrtSynchronizeStream(stream);
    destroy({x, y, z, gaps, some});
    for (void *each : {a, b, c, d})
        aclrtFree(each);
}

static void workspaces(aclrtStream stream)
{
    void *a = memory(96), *b = memory(96), *one, *two;
    aclTensor *x = tensor(a), *shifted = tensor(a, 1), *y = tensor(b), *moved = tensor(b, 1);
    uint64_t size;
    aclOpExecutor *first, *second;
    aclrtStream other;
    aclrtCreateStream(&other);
    aclrtMalloc(&one, 128, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&two, 128, ACL_MEM_MALLOC_HUGE_FIRST);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &first);  // cause: workspace-misaligned
    aclnnSiluBackward((char *)one + (bugs ? 4 : 32), size, first, stream);  // bug: workspace-misaligned
    aclnnSiluBackwardGetWorkspaceSize(y, y, moved, &size, &second);
    aclnnSiluBackward((char *)two + (bugs ? 16 : 32), size, second, stream);  // bug: workspace-misaligned
    aclrtSynchronizeStream(stream);
    for (int round = 0; round < 2; round++) {
        aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &first);
        aclnnSiluBackwardGetWorkspaceSize(y, y, moved, &size, &second);
        aclnnSiluBackward(one, size, first, stream);                 // cause: workspace-shared
        if (round)
            aclnnSiluBackward(bugs ? one : two, size, second, other);     // bug: workspace-shared
        else
            aclnnSiluBackward((char *)(bugs ? one : two) + 32, size, second, other);  // bug: workspace-shared
        aclrtSynchronizeDevice();
    }
    aclrtDestroyStream(other);
    destroy({x, shifted, y, moved});
    for (void *each : {a, b, one, two})
        aclrtFree(each);
}

static void ends_too_early(aclrtStream stream)
{
    void *a = memory(), *b = memory();
    aclTensor *x = tensor(a), *z = tensor(b);
    aclrtEvent event;
    uint64_t size;
    aclOpExecutor *executor;
    aclrtCreateEvent(&event);
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    aclSetAclOpExecutorRepeatable(executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);                   // cause: destroy-while-queued
    aclrtRecordEvent(event, stream);                                   // cause: destroy-while-queued
    if (!bugs)
        aclrtSynchronizeEvent(event);
    aclrtDestroyEvent(event);                                          // bug: destroy-while-queued
    aclDestroyAclOpExecutor(executor);                                 // bug: destroy-while-queued
    aclrtSynchronizeStream(stream);
    destroy({x, z});
    aclrtFree(a);
    aclrtFree(b);
}

static void models(aclrtStream stream)
{
    void *a = memory(), *b = memory(), *c;
    aclrtMalloc(&c, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);
    aclTensor *x = tensor(a), *z = tensor(b), *w = tensor(c);
    aclmdlRI model, leaked;
    uint64_t size;
    aclOpExecutor *executor;
    aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    aclnnSiluBackwardGetWorkspaceSize(x, x, w, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, stream);
    aclnnSiluBackwardGetWorkspaceSize(w, w, z, &size, &executor);  // reads what was written before
    aclnnSiluBackward(nullptr, 0, executor, stream);                   // cause: use-after-free
    aclmdlRICaptureEnd(stream, &model);
    aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    aclmdlRICaptureEnd(stream, &leaked);                               // bug: object-leak
    aclrtMemset(b, BYTES, 0, BYTES);  // nothing of it runs yet
    aclmdlRIExecuteAsync(model, stream);                               // cause: unsynchronised-read
    if (!bugs)
        aclrtSynchronizeStream(stream);
    aclrtMemcpy(host, BYTES, b, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);     // bug: unsynchronised-read
    aclrtSynchronizeStream(stream);
    if (bugs) {
        aclrtFree(b);                                                  // cause: use-after-free
        aclmdlRIExecuteAsync(model, stream);                           // bug: use-after-free
    } else {
        aclmdlRIDestroy(leaked);
        aclmdlRIExecuteAsync(model, stream);
        aclrtSynchronizeStream(stream);
        aclrtFree(b);
    }
    aclmdlRIDestroy(model);
    aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    aclrtMemsetAsync(a, BYTES, 0, BYTES, stream);
    aclmdlRICaptureEnd(stream, &model);
    aclmdlRIExecuteAsync(model, stream);                               // cause: destroy-while-queued
    if (!bugs)
        aclrtSynchronizeStream(stream);
    aclmdlRIDestroy(model);                                            // bug: destroy-while-queued
    aclrtSynchronizeStream(stream);
    destroy({x, z, w});
    aclrtFree(a);
    aclrtFree(c);
}

static void habits(aclrtStream stream)
{
    void *a = memory(), *b = memory(), *unused, *spare;
    aclTensor *x = tensor(a), *z = tensor(b);
    const int64_t shape[] = {5};
    aclTensor *other = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, a);
    uint64_t size;
    aclOpExecutor *executor = nullptr;
    if (bugs) {
        aclnnSiluBackwardGetWorkspaceSize(x, other, z, &size, &executor);  // cause: error-ignored // bug: refused
        aclnnSiluBackward(nullptr, 0, executor, stream);                   // bug: error-ignored
        aclrtMemcpy(b, 4, host, 48, ACL_MEMCPY_HOST_TO_DEVICE);  // cause: error-ignored // bug: out-of-bounds
        aclrtMemcpy(host, BYTES, b, BYTES, ACL_MEMCPY_DEVICE_TO_HOST);     // bug: error-ignored
    }
    if (bugs)
        aclrtSetDevice(1000);                                              // bug: refused
    aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &executor);
    aclSetAclOpExecutorRepeatable(executor);
    for (int i = 0; i < 40; i++) {
        aclOpExecutor *again = executor;
        if (bugs)
            aclnnSiluBackwardGetWorkspaceSize(x, x, z, &size, &again);     // bug: phase-1-repeated
        aclnnSiluBackward(nullptr, 0, again, stream);
        if (bugs)
            aclnnHardsigmoidBackwardGetWorkspaceSize(x, x, z, &size, &again);  // bug: phase-1-repeated
        if (bugs)
            aclnnHardsigmoidBackward(nullptr, 0, again, stream);
    }
    aclrtSynchronizeStream(stream);
    aclDestroyAclOpExecutor(executor);
    aclrtMalloc(&unused, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);  // bug: memory-unused
    aclrtMallocAlign32(&spare, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);  // bug: memory-unused
    if (!bugs) {
        aclrtMemset(unused, BYTES, 0, BYTES);
        aclrtMemset(spare, BYTES, 0, BYTES);
    }
    aclrtFree(unused);                                       // cause: memory-unused
    aclrtFree(spare);                                        // cause: memory-unused
    destroy({x, z, other});
    aclrtFree(a);
    aclrtFree(b);
}

int main(int count, char **arguments)
{
    bugs = count > 1 && !strcmp(arguments[1], "bugs");
    aclrtStream stream;
    void *late = nullptr;
    if (!bugs)
        aclInit(nullptr);
    aclrtSetDevice(0);  // bug: api-order
    if (bugs)
        aclInit(nullptr);
    aclrtCreateStream(&stream);
    leaks();
    frees();
    uses_after_free(stream);
    bounds();
    loops_that_are_too_long();
    sides();
    object_leaks();
    handles();
    executors(stream);
    executors_again(stream);
    reads(stream);
    races(stream);
    frees_too_early(stream);
    nobody_wrote(stream);
    workspaces(stream);
    ends_too_early(stream);
    models(stream);
    habits(stream);
    aclrtDestroyStream(stream);
    late = memory();
    if (!bugs)
        aclrtFree(late);
    aclrtResetDevice(0);
    aclFinalize();          // cause: api-order
    if (bugs)
        aclrtFree(late);    // bug: api-order
    return 7;
}
