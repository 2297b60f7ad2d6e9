// Copies and operators in two streams, for "openaclnn trace": docs/sanitizer.md has a picture.
#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"

#include <vector>

static const int64_t COUNT = 1 << 13;
static const size_t BYTES = COUNT * sizeof(float);

struct Part {
    aclrtStream stream;
    void *input, *output;
    aclTensor *x, *y;
    std::vector<float> host = std::vector<float>(COUNT, 1);
};

static void begin(Part &part)
{
    aclrtCreateStream(&part.stream);
    aclrtMalloc(&part.input, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&part.output, BYTES, ACL_MEM_MALLOC_HUGE_FIRST);
    part.x = aclCreateTensor(&COUNT, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &COUNT, 1, part.input);
    part.y = aclCreateTensor(&COUNT, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &COUNT, 1, part.output);
}

static void work(Part &part)
{
    uint64_t size;
    aclOpExecutor *executor;
    float *host = part.host.data();
    aclrtMemcpyAsync(part.input, BYTES, host, BYTES, ACL_MEMCPY_HOST_TO_DEVICE, part.stream);
    aclnnSiluBackwardGetWorkspaceSize(part.x, part.x, part.y, &size, &executor);
    aclnnSiluBackward(nullptr, 0, executor, part.stream);
    aclrtMemcpyAsync(host, BYTES, part.output, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, part.stream);
}

static void end(Part &part)
{
    aclDestroyTensor(part.x);
    aclDestroyTensor(part.y);
    aclrtFree(part.input);
    aclrtFree(part.output);
    aclrtDestroyStream(part.stream);
}

int main()
{
    Part parts[2];
    aclInit(nullptr);
    aclrtSetDevice(0);
    for (Part &part : parts)
        begin(part);
    for (int round = 0; round < 15; round++) {
        for (Part &part : parts)
            work(part);
        aclrtSynchronizeDevice();
    }
    for (Part &part : parts)
        end(part);
    aclrtResetDevice(0);
    aclFinalize();
}
