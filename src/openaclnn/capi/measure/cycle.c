/* What a C program pays: "cycle N" prints the microseconds of one cycle (create tensors, two calls,
   destroy) on 8 elements, N times; "once" runs one operator; "allocate" only allocates and copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"

enum { COUNT = 8 };

static void check(int status, const char *what)
{
    if (status) {
        const char *message = aclGetRecentErrMsg();
        fprintf(stderr, "%s: %d %s\n", what, status, message ? message : "");
        exit(1);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void cycle(void *const *memory, aclrtStream stream)
{
    const int64_t shape[] = {COUNT};
    aclTensor *tensors[3];
    float slope = 0.5f;
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    for (int i = 0; i < 3; i++)
        tensors[i] = aclCreateTensor(shape, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, shape, 1, memory[i]);
    aclScalar *scalar = aclCreateScalar(&slope, ACL_FLOAT);
    check(aclnnLeakyReluBackwardGetWorkspaceSize(tensors[0], tensors[1], scalar, false, tensors[2],
                                                 &size, &executor), "phase 1");
    check(aclnnLeakyReluBackward(NULL, size, executor, stream), "phase 2");
    for (int i = 0; i < 3; i++)
        aclDestroyTensor(tensors[i]);
    aclDestroyScalar(scalar);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "once";
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    float data[COUNT] = {1, 2, 3, 4, -1, -2, -3, -4};
    void *memory[3];
    aclrtStream stream;
    check(aclInit(NULL), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    for (int i = 0; i < 3; i++) {
        check(aclrtMalloc(&memory[i], sizeof data, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        check(aclrtMemcpy(memory[i], sizeof data, data, sizeof data, ACL_MEMCPY_HOST_TO_DEVICE),
              "aclrtMemcpy");
    }
    if (strcmp(mode, "allocate") != 0) {
        cycle(memory, stream);
        for (int i = 0; i < rounds / 10; i++)
            cycle(memory, stream);
        double before = seconds();
        for (int i = 0; i < rounds; i++)
            cycle(memory, stream);
        check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
        if (strcmp(mode, "cycle") == 0)
            printf("%.3f\n", (seconds() - before) / rounds * 1e6);
    }
    for (int i = 0; i < 3; i++)
        check(aclrtFree(memory[i]), "aclrtFree");
    check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    check(aclrtResetDevice(0), "aclrtResetDevice");
    return aclFinalize();
}
