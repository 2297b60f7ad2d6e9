"""Chinese texts of reports; JSON, SARIF and JUnit stay English."""

from __future__ import annotations

import re

from openaclnn.base.templates import Templates, is_chinese

_TEXTS = Templates({
    # memory
    "{t}: nobody wrote byte {} of it, which the call reads": "{}：调用读取的第 {} 字节从未写过",
    "{t}: nobody wrote byte {} of it, which the call copies to the host":
        "{}：调用拷贝到 host 的第 {} 字节从未写过",
    "{t}: somebody has written beside it, first {} before its first byte":
        "{}：有人写到了它的旁边，最先在首字节之前 {} 字节处",
    "{t}: somebody has written beside it, first {} behind its last byte":
        "{}：有人写到了它的旁边，最先在末字节之后 {} 字节处",
    "{} bytes in {} block never freed": "{1} 个内存块共 {0} 字节从未释放",
    "{} bytes in {} blocks never freed": "{1} 个内存块共 {0} 字节从未释放",
    "the address was never allocated": "该地址从未分配过",
    "{t}, reaches from byte {} to {}": "{}，访问第 {} 至 {} 字节",
    "{t}: part of its memory was unmapped": "{}：其部分内存已解除映射",
    "{t}, which was freed": "{}，该内存已释放",
    "{t} was freed already": "{} 已经释放过",
    "count is {} and {} only {}": "count 为 {}，而 {} 只有 {}",
    "{t}: {} is no device memory: aclrtMalloc did not give it":
        "{}：{} 不是设备内存：不是 aclrtMalloc 给出的",
    "{t}: {} bytes are {} more than are left": "{}：{} 字节比剩余的多 {} 字节",
    "the address lies {t}": "该地址{}",
    "{t}: its memory was freed, and given out again": "{}：其内存已释放，并再次分配给别处",
    "{t}: its memory was freed since": "{}：其内存此后已释放",
    "{t}: that is device memory, and host memory is meant": "{}：这是设备内存，应为 host 内存",
    "{t}: that is host memory, and device memory is meant": "{}：这是 host 内存，应为设备内存",
    "{t} is device memory": "{} 是设备内存", "{t} is host memory": "{} 是 host 内存",
    "{t} is freed, and nothing has used it": "{} 已释放，而从未使用过",
    "copy or fill it first": "先拷贝或填充",
    "look for loops that are too long, in code that uses its address":
        "检查使用该地址的代码，寻找过长的循环",
    "call {} before the program ends": "在程序结束之前调用 {}",
    "free only what {t} gave": "只释放 {} 给出的内存",
    "allocate as many bytes as the view reaches, or mend shape, strides, offset":
        "按视图所访问的字节数分配，或改正 shape、stride、偏移",
    "unmap it when nothing uses it any more": "不再有人使用时才解除映射",
    "give an address with as many bytes as the tensor reaches": "给出字节数足够该张量访问的地址",
    "free it when nothing uses it any more": "不再有人使用时才释放",
    "free it once": "只释放一次",
    "let {} be the bytes that are there": "{} 应为实际的字节数",
    "give an address of the device, or another kind of copy": "给出设备地址，或改用另一种拷贝",
    "copy it to the device first": "先拷贝到设备",
    "allocate more, or use less": "多分配一些，或少用一些",
    "free the address that the allocation gave": "释放分配时给出的地址",
    "aclrtUnmapMem or aclrtHostUnregister ends it": "用 aclrtUnmapMem 或 aclrtHostUnregister 结束它",
    "call phase 1 again, with a tensor of the new memory": "用新内存的张量重新调用第一阶段",
    "free it when no model needs it any more": "不再有模型需要时才释放",
    "choose the kind of copy that fits, or the other memory": "选择合适的拷贝方向，或改用另一种内存",
    "free it with {}": "用 {} 释放",
    "do not allocate it": "不要分配它",
    # objects
    "{}: {} is no {}": "{}：{} 不是 {}",
    "the executor is of {}, not of {}": "该 executor 属于 {}，不属于 {}",
    "workspace is null; expected {} bytes": "workspace 为空指针；应有 {} 字节",
    "{} of {} made and never run": "{1} 的 {0} 个 executor 创建后从未执行",
    "{} is no {} but an {}": "{} 不是 {}，而是 {}",
    "the executor has run already": "该 executor 已经执行过",
    "workspaceSize is {}; expected at least {}": "workspaceSize 为 {}；应至少为 {}",
    "member {} of the list was destroyed already": "列表的第 {} 个成员已经销毁过",
    "{} bytes of physical memory never freed": "{} 字节物理内存从未释放",
    "{} {} never destroyed": "{} 个 {} 从未销毁",
    "the physical memory was freed already": "该物理内存已经释放过",
    "workspace lies at {}; expected a multiple of {}": "workspace 位于 {}；应为 {} 的倍数",
    "{} was destroyed already": "{} 已经销毁过",
    "{} was destroyed already with the list that owns it": "{} 已随拥有它的列表一起销毁",
    "{} is an {} that was destroyed": "{} 是已销毁的 {}",
    "give a handle that the library has made": "给出由库创建的句柄",
    "give an executor to the operator that made it": "把 executor 交给创建它的算子",
    "allocate as many bytes as phase 1 says": "按第一阶段给出的字节数分配",
    "run what phase 1 has made, or end it with aclDestroyAclOpExecutor":
        "执行第一阶段创建的 executor，或用 aclDestroyAclOpExecutor 结束它",
    "give an {}": "给出 {}",
    "call {} again, or aclSetAclOpExecutorRepeatable before it runs":
        "重新调用 {}，或在执行之前调用 aclSetAclOpExecutorRepeatable",
    "a list destroys its members: do not destroy them": "列表会销毁其成员：不要再销毁它们",
    "give an address that aclrtMalloc gave": "给出 aclrtMalloc 给出的地址",
    "destroy it once; a list destroys its members": "只销毁一次；列表会销毁其成员",
    "destroy it when nothing uses it any more": "不再有人使用时才销毁",
    # order
    "{t}: a stream writes it, and nothing waits for that": "{}：有 stream 在写它，而没有等待",
    "{t}: a stream reads it, and nothing waits for that": "{}：有 stream 在读它，而没有等待",
    "{t}: another stream writes it, and nothing waits for that":
        "{}：另一个 stream 在写它，而没有等待",
    "{t}: another stream reads it, and nothing waits for that":
        "{}：另一个 stream 在读它，而没有等待",
    "{t}: another stream's executor may still use it": "{}：另一个 stream 的 executor 可能仍在使用它",
    "the calling thread has no device": "调用线程没有设备",
    "it is called after aclFinalize": "在 aclFinalize 之后调用",
    "it is called before aclInit": "在 aclInit 之前调用",
    "{t} is freed, and a stream may still use it as {}": "{} 已释放，而 stream 可能仍把它用作 {}",
    "{t} is unmapped, and a stream may still use it as {}":
        "{} 已解除映射，而 stream 可能仍把它用作 {}",
    "{t} is unregistered, and a stream may still use it as {}":
        "{} 已解除注册，而 stream 可能仍把它用作 {}",
    "the event is destroyed, and nothing has waited for it": "event 已销毁，而没有等待过它",
    "the stream is destroyed, and nothing has waited for its work":
        "stream 已销毁，而没有等待过它的任务",
    "the {} is destroyed, and nothing has waited for its run": "{} 已销毁，而没有等待它执行完",
    "the calling thread has chosen no device, and gets another thread's here; an NPU answers 107002":
        "调用线程没有选择设备，在这里使用其他线程的设备；NPU 返回 107002",
    "call aclrtSynchronizeStream first": "先调用 aclrtSynchronizeStream",
    "call aclrtSynchronizeEvent first": "先调用 aclrtSynchronizeEvent",
    "let this stream wait for an event of the other one": "让该 stream 等待另一个 stream 的 event",
    "give each executor its own workspace, or wait for the other stream":
        "每个 executor 使用自己的 workspace，或等待另一个 stream",
    "call aclrtSetDevice in each thread first": "先在每个线程中调用 aclrtSetDevice",
    "call aclrtSetDevice or aclrtSetCurrentContext in each thread first":
        "先在每个线程中调用 aclrtSetDevice 或 aclrtSetCurrentContext",
    "let aclFinalize come last": "最后才调用 aclFinalize",
    "let aclInit come first": "最先调用 aclInit",
    "call aclrtSynchronizeStream before it is freed": "释放之前先调用 aclrtSynchronizeStream",
    "call aclrtSynchronizeStream before it is unmapped": "解除映射之前先调用 aclrtSynchronizeStream",
    "call aclrtSynchronizeStream before it is unregistered":
        "解除注册之前先调用 aclrtSynchronizeStream",
    # habits and refused calls
    "phase 1 has answered {} and made no executor": "第一阶段返回 {}，没有创建 executor",
    "{} calls have the same tensors and attributes": "{} 次调用的张量和属性都相同",
    "{t}: {} was to write it, and has answered {}": "{}：本应由 {} 写入，而它返回 {}",
    "look at what phase 1 answers first": "先检查第一阶段的返回值",
    "call it once, then aclSetAclOpExecutorRepeatable, and phase 2 as often as needed":
        "只调用一次，再调用 aclSetAclOpExecutorRepeatable，然后按需反复调用第二阶段",
    "look at what a call answers before its result is used": "使用结果之前先检查返回值",
    "look at what the call is given": "检查传给该调用的参数",
    "the program has stopped after this call was refused, and has left {} thing that it never frees "
    "or destroys": "该调用被拒绝后程序停止，遗留 {} 项从未释放或销毁",
    "the program has stopped after this call was refused, and has left {} things that it never frees "
    "or destroys": "该调用被拒绝后程序停止，遗留 {} 项从未释放或销毁",
    "mend the call first; to see each of them, free and destroy on the way out, too":
        "先改正该调用；若要逐项查看，退出时也应释放和销毁",
    # the calls that led to it
    "allocated by": "分配于", "allocated again by": "再次分配于", "freed by": "释放于",
    "freed before by": "此前释放于", "unmapped by": "解除映射于", "mapped by": "映射于",
    "captured in": "捕获于", "created by": "创建于", "destroyed by": "销毁于",
    "destroyed before by": "此前销毁于", "run before by": "此前执行于", "run by": "执行于",
    "used by": "使用于", "asked by": "请求于", "recorded by": "记录于", "ended by": "结束于",
    "refused by": "拒绝于", "failed in": "失败于", "as {} written by": "作为 {} 写入于",
    "as {} read by": "作为 {} 读取于",
    # around them
    "ERROR": "错误", "WARNING": "警告", "NOTE": "说明",
    "called with {t}": "参数：{}", "to do: {t}": "处理：{}",
    "the program was killed by {}; its last calls, the latest first:":
        "程序被 {} 终止；其最后的调用，最近的在前：",
    "the program was killed, or has called _exit; its last calls, the latest first:":
        "程序被终止，或调用了 _exit；其最后的调用，最近的在前：",
})  # fmt: skip


def said(text: str) -> str:
    """A part of a report in the user's language.

    >>> import os
    >>> os.environ["LANG"] = "zh_CN.UTF-8"
    >>> said("block #1 of 64 bytes was freed already")
    '内存块 #1（64 字节） 已经释放过'
    >>> os.environ["LANG"] = "C.UTF-8"
    """
    return chinese(text) if is_chinese() else text


def chinese(text: str) -> str:
    """The same in Chinese, as far as it is known."""
    found = _TEXTS.translated(text) or text
    found = re.sub(
        r",? ?(\d+) bytes into block #(\d+) of (\d+) bytes", r"，位于内存块 #\2（\3 字节）第 \1 字节处",
        found,
    )  # fmt: skip
    return re.sub(r"block #(\d+) of (\d+) bytes", r"内存块 #\1（\2 字节）", found).replace(
        "该地址，", "该地址"
    )
