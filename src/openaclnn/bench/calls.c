/* Calls one operator from C. Which one comes from the compiler's command line: HEADER, OPERATOR, the
   statements that make its arguments (SETUP) and destroy them (END), their names in C order
   (ARGUMENTS). "calls": it reads numbers of calls, makes them, and answers with the
   nanoseconds that they took; "cycle": the same, the arguments made and destroyed every time;
   "repeated": the same, one executor running again and again; "once": one call; "allocate": none,
   memory is allocated and copied. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* A tensor in the memory of its number, which is filled at first use. */
static aclTensor *tensor(int number, aclDataType dtype, size_t item, uint64_t dims,
                         const int64_t *shape)
{
    static void *memory[64];
    size_t count = 1;
    for (uint64_t d = 0; d < dims; d++)
        count *= (size_t)shape[d];
    if (memory[number] == NULL) {
        size_t bytes = count * item;
        void *values = calloc(count + 1, item);
        if (values == NULL)
            check(1, "calloc");
        if (dtype == ACL_FLOAT)
            for (size_t i = 0; i < count; i++)
                ((float *)values)[i] = (float)((double)rand() / RAND_MAX * 8 - 4);
        check(aclrtMalloc(&memory[number], bytes + 1, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        check(aclrtMemcpy(memory[number], bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE),
              "aclrtMemcpy");
        free(values);
    }
    return aclCreateTensor(shape, dims, dtype, NULL, 0, ACL_FORMAT_ND, shape, dims, memory[number]);
}

#define FIRST check(NAMED(OPERATOR, GetWorkspaceSize)(ARGUMENTS, &size, &executor), "phase 1");
#define SECOND check(OPERATOR(workspace, size, executor, stream), "phase 2");

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "calls";
    int cycle = !strcmp(mode, "cycle"), repeated = !strcmp(mode, "repeated");
    long calls;
    uint64_t size = 0;
    void *workspace = NULL;
    aclOpExecutor *executor = NULL;
    aclrtStream stream;
    check(aclInit(NULL), "aclInit");
    check(aclrtSetDevice(0), "aclrtSetDevice");
    check(aclrtCreateStream(&stream), "aclrtCreateStream");
    SETUP
    if (!strcmp(mode, "allocate"))
        return aclFinalize();
    FIRST
    if (size)
        check(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    if (repeated)
        check(aclSetAclOpExecutorRepeatable(executor), "aclSetAclOpExecutorRepeatable");
    SECOND
    while (strcmp(mode, "once") && scanf("%ld", &calls) == 1) {
        int64_t before = nanoseconds();
        for (long i = 0; i < calls && cycle; i++) {
            SETUP
            FIRST
            SECOND
            END
        }
        for (long i = 0; i < calls && !cycle; i++) {
            if (!repeated) {
                FIRST
            }
            SECOND
        }
        check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
        printf("%lld\n", (long long)(nanoseconds() - before));
        fflush(stdout);
    }
    return aclFinalize();
}
