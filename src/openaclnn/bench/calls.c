/* Calls one operator from C as often as asked: reads a number of calls, makes them, answers with
   the nanoseconds that they took. Which operator, and its arguments in C order, come from the
   compiler's command line: HEADER, OPERATOR, ARGUMENTS (of tensors t[]), TENSORS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "acl/acl.h"
#include HEADER

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

static void check(int status, const char *what)
{
    if (status) {
        const char *message = aclGetRecentErrMsg();
        fprintf(stderr, "%s: %d %s\n", what, status, message ? message : "");
        exit(1);
    }
}

static int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static aclTensor *tensor(int64_t count)
{
    void *memory;
    size_t bytes = (size_t)count * sizeof(float);
    float *values = malloc(bytes);
    if (values == NULL)
        check(1, "malloc");
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)((double)rand() / RAND_MAX * 8 - 4);
    check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    check(aclrtMemcpy(memory, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    free(values);
    return aclCreateTensor(&count, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, &count, 1, memory);
}

int main(int argc, char **argv)
{
    int64_t elements = argc > 1 ? atoll(argv[1]) : 1024;
    long calls;
    aclTensor *t[TENSORS];
    aclrtStream stream;
    check(aclInit(NULL), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    for (int i = 0; i < TENSORS; i++)
        t[i] = tensor(elements);
    SCALARS
    while (scanf("%ld", &calls) == 1) {
        int64_t before = nanoseconds();
        for (long i = 0; i < calls; i++) {
            uint64_t size = 0;
            aclOpExecutor *executor = NULL;
            check(NAMED(OPERATOR, GetWorkspaceSize)(ARGUMENTS, &size, &executor), "phase 1");
            check(OPERATOR(NULL, size, executor, stream), "phase 2");
        }
        check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
        printf("%lld\n", (long long)(nanoseconds() - before));
        fflush(stdout);
    }
    return aclFinalize();
}
