/* What frameworks look up by name and no header declares: memory for descriptions that is kept for
   a thread, and a cache of executors by a key of theirs. There is none of either: equal calls share
   their plan here in any case, and a cache that holds nothing lets them make the two calls. */
#include "internal.h"

int run_InitHugeMemThreadLocal(void *arg, bool shared)
{
    (void)arg, (void)shared;
    return 0;
}

void run_UnInitHugeMemThreadLocal(void *arg, bool shared)
{
    (void)arg, (void)shared;
}

void run_ReleaseHugeMem(void *arg, bool shared)
{
    (void)arg, (void)shared;
}

bool run_CanUsePTACache(const char *api)
{
    (void)api;
    return false;
}

void run_InitPTACacheThreadLocal(void)
{
}

void run_UnInitPTACacheThreadLocal(void)
{
}

void run_SetPTAHashKey(uint64_t hash)
{
    (void)hash;
}

void run_SetPTACacheHashKey(uint8_t *key, size_t size)
{
    (void)key, (void)size;
}

void run_AddTensorAddrToCachedList(void *addr)
{
    (void)addr;
}

aclOpExecutor *run_PTAGetExecCache(uint64_t hash, uint64_t *workspaceSize)
{
    (void)hash, (void)workspaceSize;
    return NULL;
}

aclOpExecutor *run_PTAFindExecCache(uint8_t *key, size_t size, uint64_t *workspaceSize)
{
    (void)key, (void)size, (void)workspaceSize;
    return NULL;
}
