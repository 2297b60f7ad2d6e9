// One bug of each kind that "openaclnn sanitize" tells: openaclnn sanitize examples/sanitizer/bugs.cpp race
#include "acl/acl.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

static float host[16];
static uint64_t size;
static aclOpExecutor *executor;

static void *memory(size_t bytes = 64)
{
    void *made;
    aclrtMalloc(&made, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(made, bytes, 0, bytes);
    return made;
}

static aclTensor *tensor(void *data, int64_t offset = 0)
{
    const int64_t shape[] = {3, 4};
    return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, offset, ACL_FORMAT_ND, shape, 2, data);
}

static void leak()
{
    for (int layer = 0; layer < 3; layer++)
        memory(1000);
}

static void double_free()
{
    void *weights = memory();
    aclrtFree(weights);
    aclrtFree(weights);
}

static void invalid_free()
{
    char *pool = (char *)memory(), *part = pool + 32;
    aclrtFree(part);
    aclrtFree(pool);
}

static void use_after_free()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclrtFree(data);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclDestroyAclOpExecutor(executor);
    aclDestroyTensor(x);
}

static void out_of_bounds()
{
    void *data = memory(40); // 3 × 4 floats are 48 bytes
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void wrong_side()
{
    void *data = memory();
    aclrtMemcpy(data, 64, host, 64, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(data);
}

static void uninitialised_read()
{
    void *data, *result = memory();
    aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(data, 64, host, 40, ACL_MEMCPY_HOST_TO_DEVICE);
    aclTensor *x = tensor(data), *y = tensor(result);
    aclnnSiluBackwardGetWorkspaceSize(x, x, y, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclDestroyTensor(y);
    aclrtFree(data);
    aclrtFree(result);
}

static void uninitialised_copy()
{
    void *data;
    aclrtMalloc(&data, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(host, 64, data, 64, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(data);
}

static void object_leak()
{
    void *data = memory();
    for (int step = 0; step < 3; step++)
        tensor(data);
    aclrtFree(data);
}

static void double_destroy()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclTensorList *list = aclCreateTensorList(&x, 1);
    aclDestroyTensorList(list); // and its members
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void use_after_destroy()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclDestroyTensor(x);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclrtFree(data);
}

static void wrong_handle()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclScalar *scalar = aclCreateScalar(host, ACL_FLOAT);
    aclnnSiluBackwardGetWorkspaceSize(x, (aclTensor *)scalar, x, &size, &executor);
    aclDestroyScalar(scalar);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void executor_reused()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void executor_never_run()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void executor_mismatch()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclnnHardsigmoidBackward(nullptr, 0, executor, nullptr);
    aclDestroyAclOpExecutor(executor);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void workspace_too_small()
{
    void *data = memory(), *workspace = memory();
    aclTensor *x = tensor(data), *shifted = tensor(data, 1);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);
    aclnnSiluBackward(workspace, 16, executor, nullptr);
    aclDestroyAclOpExecutor(executor);
    aclDestroyTensor(x);
    aclDestroyTensor(shifted);
    aclrtFree(workspace);
    aclrtFree(data);
}

static void workspace_null()
{
    void *data = memory();
    aclTensor *x = tensor(data), *shifted = tensor(data, 1);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclDestroyAclOpExecutor(executor);
    aclDestroyTensor(x);
    aclDestroyTensor(shifted);
    aclrtFree(data);
}

static void workspace_misaligned()
{
    void *data = memory(), *pool = memory(128);
    aclTensor *x = tensor(data), *shifted = tensor(data, 1);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);
    aclnnSiluBackward((char *)pool + 12, size, executor, nullptr);
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclDestroyTensor(shifted);
    aclrtFree(pool);
    aclrtFree(data);
}

static void workspace_shared()
{
    void *one = memory(), *two = memory(), *workspace = memory();
    aclTensor *a = tensor(one), *b = tensor(one, 1), *c = tensor(two), *d = tensor(two, 1);
    aclrtStream stream;
    aclOpExecutor *other;
    aclrtCreateStream(&stream);
    aclnnSiluBackwardGetWorkspaceSize(a, a, b, &size, &executor);
    aclnnSiluBackwardGetWorkspaceSize(c, c, d, &size, &other);
    aclnnSiluBackward(workspace, size, executor, nullptr);
    aclnnSiluBackward(workspace, size, other, stream);
    aclrtSynchronizeDevice();
    aclrtDestroyStream(stream);
    for (aclTensor *each : {a, b, c, d})
        aclDestroyTensor(each);
    for (void *each : {one, two, workspace})
        aclrtFree(each);
}

static void unsynchronised_read()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclrtMemcpy(host, 48, data, 48, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void race()
{
    void *data = memory(), *copy = memory();
    aclrtStream stream, other;
    aclrtEvent event;
    aclrtCreateStream(&stream);
    aclrtCreateStream(&other);
    aclrtCreateEvent(&event);
    aclrtMemcpyAsync(data, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    aclrtRecordEvent(event, stream); // aclrtStreamWaitEvent(other, event) is missing
    aclrtMemcpyAsync(copy, 64, data, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, other);
    aclrtSynchronizeDevice();
    aclrtDestroyEvent(event);
    aclrtDestroyStream(stream);
    aclrtDestroyStream(other);
    aclrtFree(data);
    aclrtFree(copy);
}

static void free_while_queued()
{
    void *data = memory(), *workspace = memory();
    aclTensor *x = tensor(data), *shifted = tensor(data, 1);
    aclnnSiluBackwardGetWorkspaceSize(x, x, shifted, &size, &executor);
    aclnnSiluBackward(workspace, size, executor, nullptr);
    aclrtFree(workspace);
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclDestroyTensor(shifted);
    aclrtFree(data);
}

static void destroy_while_queued()
{
    void *data = memory();
    aclrtStream stream;
    aclrtCreateStream(&stream);
    aclrtMemsetAsync(data, 64, 0, 64, stream);
    aclrtDestroyStream(stream);
    aclrtFree(data);
}

static void api_order()
{
    void *data = memory();
    aclFinalize();
    aclrtFree(data);
    aclInit(nullptr);
}

static void error_ignored()
{
    void *data = memory();
    const int64_t five = 5;
    aclTensor *x = tensor(data);
    aclTensor *y = aclCreateTensor(&five, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &five, 1, data);
    aclnnSiluBackwardGetWorkspaceSize(x, y, x, &size, &executor); // refused: the shapes differ
    aclnnSiluBackward(nullptr, 0, executor, nullptr);
    aclDestroyTensor(x);
    aclDestroyTensor(y);
    aclrtFree(data);
}

static void phase_1_repeated()
{
    void *data = memory();
    aclTensor *x = tensor(data);
    for (int step = 0; step < 100; step++) {
        aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
        aclnnSiluBackward(nullptr, 0, executor, nullptr);
    }
    aclrtSynchronizeStream(nullptr);
    aclDestroyTensor(x);
    aclrtFree(data);
}

static void memory_unused()
{
    void *spare;
    aclrtMalloc(&spare, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtFree(spare);
}

static void refused()
{
    void *data = memory();
    const int64_t shape[] = {3, 4};
    aclTensor *x = tensor(data);
    aclTensor *y = aclCreateTensor(shape, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, shape, 2, data);
    if (aclnnSiluBackwardGetWorkspaceSize(x, y, x, &size, &executor) != 0)
        exit(1); // and nothing is destroyed or freed
}

int main(int, char **arguments)
{
    const std::map<std::string, void (*)()> bugs = {
        {"leak", leak}, {"double-free", double_free}, {"invalid-free", invalid_free},
        {"use-after-free", use_after_free}, {"out-of-bounds", out_of_bounds},
        {"wrong-side", wrong_side}, {"uninitialised-read", uninitialised_read},
        {"uninitialised-copy", uninitialised_copy}, {"object-leak", object_leak},
        {"double-destroy", double_destroy}, {"use-after-destroy", use_after_destroy},
        {"wrong-handle", wrong_handle}, {"executor-reused", executor_reused},
        {"executor-never-run", executor_never_run}, {"executor-mismatch", executor_mismatch},
        {"workspace-too-small", workspace_too_small}, {"workspace-null", workspace_null},
        {"workspace-misaligned", workspace_misaligned}, {"workspace-shared", workspace_shared},
        {"unsynchronised-read", unsynchronised_read}, {"race", race},
        {"free-while-queued", free_while_queued}, {"destroy-while-queued", destroy_while_queued},
        {"api-order", api_order}, {"error-ignored", error_ignored},
        {"phase-1-repeated", phase_1_repeated}, {"memory-unused", memory_unused},
        {"refused", refused},
    };
    aclInit(nullptr);
    aclrtSetDevice(0);
    for (char **name = arguments + 1; *name; name++)
        bugs.at(*name)();
    aclrtResetDevice(0);
    aclFinalize();
}
