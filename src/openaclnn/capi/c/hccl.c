/* Collectives between processes. There is one process, so that what all ranks do together is a copy in
   the order of a stream. More ranks, and other ranks, are refused. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Communicator {
    uint32_t number;
};

/* A refusal that is also shown: not every caller asks for the text. */
#define REFUSE(...) refuse(__func__, __VA_ARGS__)
static HcclResult refuse(const char *function, const char *reason)
{
    fprintf(stderr, "openaclnn: %s: %s\n", function + strlen("run_"), reason);
    return fail(HCCL_E_NOT_SUPPORT, function, "%s", reason);
}

static HcclResult make(const char *function, uint32_t ranks, uint32_t rank, HcclComm *comm)
{
    static uint32_t latest;
    char reason[160];
    if (ranks > 1) {
        snprintf(reason, sizeof reason, "%u ranks are asked for; openaclnn has collectives of one "
                 "process only (world size 1) so far", (unsigned)ranks);
        return refuse(function, reason);
    }
    if (ranks == 0 || rank >= ranks)
        return fail(HCCL_E_PARA, function, "rank %u of %u does not exist", (unsigned)rank,
                    (unsigned)ranks);
    struct Communicator *made = malloc(sizeof *made);
    if (made)
        made->number = __atomic_add_fetch(&latest, 1, __ATOMIC_RELAXED);
    *comm = handle_new(COMMUNICATOR, made);
    return *comm ? HCCL_SUCCESS : fail(HCCL_E_MEMORY, function, "out of host memory");
}

/* The number of a communicator that lives, or 0 and an error. */
static uint32_t number_of(HcclComm comm, const char *function)
{
    handles_lock();
    struct Communicator *found = handle_find(COMMUNICATOR, comm);
    uint32_t number = found ? found->number : 0;
    handles_unlock();
    if (!number)
        fail(HCCL_E_PARA, function, "comm %s", comm ? handle_trouble(COMMUNICATOR, comm) : "is null");
    return number;
}

HcclResult run_HcclGetRootInfo(HcclRootInfo *rootInfo)
{
    memset(rootInfo, 0, sizeof *rootInfo);
    snprintf(rootInfo->internal, sizeof rootInfo->internal, "openaclnn %d", (int)getpid());
    return HCCL_SUCCESS;
}

HcclResult run_HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
                                    HcclComm *comm)
{
    if (!rootInfo)
        return FAIL(HCCL_E_PTR, "rootInfo is null; HcclGetRootInfo gives it");
    return make(__func__, nRanks, rank, comm);
}

HcclResult run_HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
                                          const HcclCommConfig *config, HcclComm *comm)
{
    (void)config;
    if (!rootInfo)
        return FAIL(HCCL_E_PTR, "rootInfo is null; HcclGetRootInfo gives it");
    return make(__func__, nRanks, rank, comm);
}

HcclResult run_HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm)
{
    (void)clusterInfo, (void)rank, (void)comm;
    return REFUSE("communicators are not made from files; HcclCommInitRootInfo makes one of one rank");
}

HcclResult run_HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms)
{
    if (!devices)
        return FAIL(HCCL_E_PTR, "devices is null");
    return make(__func__, ndev, 0, comms);
}

HcclResult run_HcclCommDestroy(HcclComm comm)
{
    if (!number_of(comm, __func__))
        return HCCL_E_PARA;
    free(handle_end(COMMUNICATOR, comm, DESTROYED));
    return HCCL_SUCCESS;
}

HcclResult run_HcclGetRankSize(HcclComm comm, uint32_t *rankSize)
{
    *rankSize = 1;
    return number_of(comm, __func__) ? HCCL_SUCCESS : HCCL_E_PARA;
}

HcclResult run_HcclGetRankId(HcclComm comm, uint32_t *rank)
{
    *rank = 0;
    return number_of(comm, __func__) ? HCCL_SUCCESS : HCCL_E_PARA;
}

HcclResult run_HcclGetCommName(HcclComm comm, char *commName)
{
    uint32_t number = number_of(comm, __func__);
    if (number)
        snprintf(commName, COMM_NAME_MAX_LENGTH, "openaclnn_%d_%u", (int)getpid(), (unsigned)number);
    return number ? HCCL_SUCCESS : HCCL_E_PARA;
}

HcclResult run_HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError)
{
    *asyncError = HCCL_SUCCESS;
    return number_of(comm, __func__) ? HCCL_SUCCESS : HCCL_E_PARA;
}

const char *run_HcclGetErrorString(HcclResult code)
{
    static const char *const names[] = {
        "no error", "parameter error", "empty pointer", "memory error", "internal error",
        "not supported", "not found", "unavailable", "system call failed", "timeout",
    };
    return (size_t)code < ELEMENTS(names) ? names[code] : "unknown error";
}

/* the bytes of an element, 0: of none */
static size_t size_of(HcclDataType type)
{
    static const unsigned char sizes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 0, 1, 1, 1, 1};
    return (size_t)type < ELEMENTS(sizes) ? sizes[type] : 0;
}

/* What every collective of one rank does. */
static HcclResult copy(const char *function, const void *from, uint64_t from_at, void *to, uint64_t to_at,
                       uint64_t count, HcclDataType type, HcclComm comm, aclrtStream stream)
{
    size_t size = size_of(type);
    if (!number_of(comm, function))
        return HCCL_E_PARA;
    if (!size)
        return fail(HCCL_E_PARA, function, "dataType is %d, which is none", (int)type);
    if (count && (!from || !to))
        return fail(HCCL_E_PTR, function, "%s is null", from ? "recvBuf" : "sendBuf");
    const char *source = (const char *)from + from_at * size;
    char *target = (char *)to + to_at * size;
    if (!count || source == target)
        return HCCL_SUCCESS;
    int status = run_aclrtMemcpyAsync(target, count * size, source, count * size,
                                      ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
    return status ? HCCL_E_RUNTIME : HCCL_SUCCESS;
}

static HcclResult check_root(const char *function, uint32_t root)
{
    return root ? fail(HCCL_E_PARA, function, "root is %u; there is rank 0 only", (unsigned)root)
                : HCCL_SUCCESS;
}

static HcclResult check_op(const char *function, HcclReduceOp op)
{
    return (unsigned)op > HCCL_REDUCE_MIN
               ? fail(HCCL_E_PARA, function, "op is %d; expected 0 to 3", (int)op)
               : HCCL_SUCCESS;
}

HcclResult run_HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType,
                             HcclReduceOp op, HcclComm comm, aclrtStream stream)
{
    HcclResult status = check_op(__func__, op);
    return status ? status
                  : copy(__func__, sendBuf, 0, recvBuf, 0, count, dataType, comm, stream);
}

HcclResult run_HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType,
                          HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream)
{
    HcclResult status = check_root(__func__, root);
    status = status ? status : check_op(__func__, op);
    return status ? status
                  : copy(__func__, sendBuf, 0, recvBuf, 0, count, dataType, comm, stream);
}

HcclResult run_HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount,
                                 HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                                 aclrtStream stream)
{
    HcclResult status = check_op(__func__, op);
    return status ? status
                  : copy(__func__, sendBuf, 0, recvBuf, 0, recvCount, dataType, comm, stream);
}

HcclResult run_HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType, uint32_t root,
                             HcclComm comm, aclrtStream stream)
{
    HcclResult status = check_root(__func__, root);
    return status ? status : copy(__func__, buf, 0, buf, 0, count, dataType, comm, stream);
}

HcclResult run_HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType,
                           uint32_t root, HcclComm comm, aclrtStream stream)
{
    HcclResult status = check_root(__func__, root);
    return status ? status
                  : copy(__func__, sendBuf, 0, recvBuf, 0, recvCount, dataType, comm, stream);
}

HcclResult run_HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType,
                             HcclComm comm, aclrtStream stream)
{
    return copy(__func__, sendBuf, 0, recvBuf, 0, sendCount, dataType, comm, stream);
}

static HcclResult check_equal(const char *function, uint64_t sent, HcclDataType send_type,
                              uint64_t received, HcclDataType receive_type)
{
    return sent * size_of(send_type) != received * size_of(receive_type)
               ? fail(HCCL_E_PARA, function, "%llu elements are sent and %llu received",
                      (unsigned long long)sent, (unsigned long long)received)
               : HCCL_SUCCESS;
}

HcclResult run_HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType,
                            const void *recvBuf, uint64_t recvCount, HcclDataType recvType,
                            HcclComm comm, aclrtStream stream)
{
    HcclResult status = check_equal(__func__, sendCount, sendType, recvCount, recvType);
    return status ? status
                  : copy(__func__, sendBuf, 0, (void *)recvBuf, 0, sendCount, sendType, comm, stream);
}

HcclResult run_HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls,
                             HcclDataType sendType, const void *recvBuf, const void *recvCounts,
                             const void *rdispls, HcclDataType recvType, HcclComm comm,
                             aclrtStream stream)
{
    if (!sendCounts || !sdispls || !recvCounts || !rdispls)
        return FAIL(HCCL_E_PTR, "counts and displacements must not be null");
    const uint64_t *sent = sendCounts, *received = recvCounts, *from = sdispls, *to = rdispls;
    HcclResult status = check_equal(__func__, *sent, sendType, *received, recvType);
    return status ? status
                  : copy(__func__, sendBuf, *from, (void *)recvBuf, *to, *sent, sendType, comm, stream);
}

HcclResult run_HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank,
                        HcclComm comm, aclrtStream stream)
{
    (void)sendBuf, (void)count, (void)dataType, (void)destRank, (void)comm, (void)stream;
    return REFUSE("there is no other rank to send to: openaclnn has one process so far");
}

HcclResult run_HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank,
                        HcclComm comm, aclrtStream stream)
{
    (void)recvBuf, (void)count, (void)dataType, (void)srcRank, (void)comm, (void)stream;
    return REFUSE("there is no other rank to receive from: openaclnn has one process so far");
}

HcclResult run_HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm,
                                 aclrtStream stream)
{
    (void)sendRecvInfo, (void)itemNum, (void)comm, (void)stream;
    return REFUSE("there is no other rank to exchange with: openaclnn has one process so far");
}

HcclResult run_HcclBarrier(HcclComm comm, aclrtStream stream)
{
    (void)stream;
    return number_of(comm, __func__) ? HCCL_SUCCESS : HCCL_E_PARA;
}
