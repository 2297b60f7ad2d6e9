"""Collectives between processes (HCCL). One process works: it is rank 0 of 1, so that a collective
is a copy. Communicators of more ranks are refused."""

from __future__ import annotations

from openaclnn.capi.runtime_api.function import Function, Section, function

_TYPED = "HcclDataType dataType"
_IN_STREAM = "HcclComm comm, aclrtStream stream"
_BUFFERS = "void *sendBuf, void *recvBuf"


def _hccl(name: str, prototype: str, sentence: str) -> Function:
    return function(name, prototype, sentence, returns="HcclResult ", python=None)


COMMUNICATORS = Section("hccl/hccl.h", "Communicators of one process (HcclResult)", (
    _hccl("HcclGetRootInfo", "out HcclRootInfo *rootInfo",
          "Get what processes exchange before they make a communicator."),
    _hccl("HcclCommInitRootInfo",
          "uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, out HcclComm *comm",
          "Make a communicator of one rank; more are refused with HCCL_E_NOT_SUPPORT."),
    _hccl("HcclCommInitRootInfoConfig",
          "uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, "
          "const HcclCommConfig *config, out HcclComm *comm",
          "Make a communicator of one rank; the configuration has no effect."),
    _hccl("HcclCommInitClusterInfo",
          "const char *clusterInfo, uint32_t rank, out HcclComm *comm",
          "Refuse to make a communicator from a file: it has more than one rank."),
    _hccl("HcclCommInitAll", "uint32_t ndev, int32_t *devices, out HcclComm *comms",
          "Make a communicator for each of some devices; one can be."),
    _hccl("HcclCommDestroy", "HcclComm comm", "End a communicator."),
    _hccl("HcclGetRankSize", "HcclComm comm, out uint32_t *rankSize", "Get the ranks: 1."),
    _hccl("HcclGetRankId", "HcclComm comm, out uint32_t *rank", "Get the own rank: 0."),
    _hccl("HcclGetCommName", "HcclComm comm, out char *commName",
          "Get the name of a communicator, of fewer than 128 bytes."),
    _hccl("HcclGetCommAsyncError", "HcclComm comm, out HcclResult *asyncError",
          "Get an error that has no call of its own: none, ever."),
    function("HcclGetErrorString", "HcclResult code", "Get the name of a code.",
             returns="const char *", python=None),
    function("HcclGetCommConfigCapability", "",
             "Get how many fields of a configuration are read: 0.",
             returns="uint32_t ", python=None, answers="0"),
    function("HcclSetConfig", "HcclConfig config, HcclConfigValue configValue",
             "Set an option of the process; results are deterministic in any case.",
             returns="HcclResult ", python=None, answers="HCCL_SUCCESS"),
))  # fmt: skip

COLLECTIVES = Section("hccl/hccl.h", "Collectives in the order of a stream", (
    _hccl("HcclAllReduce", f"{_BUFFERS}, uint64_t count, {_TYPED}, HcclReduceOp op, {_IN_STREAM}",
          "Reduce over all ranks: a copy."),
    _hccl("HcclReduce",
          f"{_BUFFERS}, uint64_t count, {_TYPED}, HcclReduceOp op, uint32_t root, {_IN_STREAM}",
          "Reduce to one rank: a copy."),
    _hccl("HcclReduceScatter",
          f"{_BUFFERS}, uint64_t recvCount, {_TYPED}, HcclReduceOp op, {_IN_STREAM}",
          "Reduce, and give each rank a part: a copy."),
    _hccl("HcclBroadcast", f"void *buf, uint64_t count, {_TYPED}, uint32_t root, {_IN_STREAM}",
          "Give all ranks what one has: nothing to do."),
    _hccl("HcclScatter",
          f"{_BUFFERS}, uint64_t recvCount, {_TYPED}, uint32_t root, {_IN_STREAM}",
          "Give each rank a part of what one has: a copy."),
    _hccl("HcclAllGather", f"{_BUFFERS}, uint64_t sendCount, {_TYPED}, {_IN_STREAM}",
          "Give all ranks what each has: a copy."),
    _hccl("HcclAlltoAll",
          "const void *sendBuf, uint64_t sendCount, HcclDataType sendType, const void *recvBuf, "
          f"uint64_t recvCount, HcclDataType recvType, {_IN_STREAM}",
          "Let all ranks exchange parts: a copy."),
    _hccl("HcclAlltoAllV",
          "const void *sendBuf, const void *sendCounts, const void *sdispls, "
          "HcclDataType sendType, const void *recvBuf, const void *recvCounts, "
          f"const void *rdispls, HcclDataType recvType, {_IN_STREAM}",
          "Let all ranks exchange parts of any length and position: a copy."),
    _hccl("HcclSend", f"void *sendBuf, uint64_t count, {_TYPED}, uint32_t destRank, {_IN_STREAM}",
          "Refuse to send to another rank: there is none."),
    _hccl("HcclRecv", f"void *recvBuf, uint64_t count, {_TYPED}, uint32_t srcRank, {_IN_STREAM}",
          "Refuse to receive from another rank: there is none."),
    _hccl("HcclBatchSendRecv",
          f"HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, {_IN_STREAM}",
          "Refuse to exchange with other ranks: there are none."),
    _hccl("HcclBarrier", _IN_STREAM, "Wait for all ranks: nothing to do."),
))  # fmt: skip

SECTIONS = (COMMUNICATORS, COLLECTIVES)
