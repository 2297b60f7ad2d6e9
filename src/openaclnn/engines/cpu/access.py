"""Loads and stores of one vector of an operand: whole, or its first lanes only."""

from __future__ import annotations

from openaclnn.arithmetic.lower import Body
from openaclnn.engines.cpu.vector import Printer, scalar

LINE = 64  # bytes of memory that move together
TILE = 64  # rows and columns of a tile where an operand is transposed
LONGEST = 256  # of either, where the other ones are few


class Access:
    """Prints how a kernel reaches its operands; `kernel` explains their patterns."""

    def __init__(self, printer: Printer, body: Body, patterns: str, streaming: bool) -> None:
        self.p, self.body, self.patterns, self.streaming = printer, body, patterns, streaming
        self.out = len(body.loads)  # the first of the operands that are stored
        self.strides: list[str] = []  # along the columns, in bytes
        self.buffers: dict[int, str] = {}

    def element(self, operand: int) -> str:
        return scalar(self.type(operand))

    def type(self, operand: int) -> str:
        """What is loaded or stored of an operand."""
        loads = self.body.loads
        return loads[operand] if operand < self.out else self.body.results[operand - self.out].type

    def complex(self, operand: int) -> bool:
        """Whether zeros are stored beside an operand's values."""
        return operand >= self.out and self.body.complex[operand - self.out]

    def size(self, operand: int) -> int:
        """Bytes of one element of an operand."""
        return self.body.sizes[operand]

    def alignment(self) -> int:
        """Bytes that streaming stores want the output aligned to."""
        return min(64, self.p.lanes * self.size(self.out))

    def make_room(self) -> None:
        """Buffers on the stack for what cannot be loaded or stored as it lies."""
        p = self.p
        for operand, pattern in enumerate(self.patterns):
            if pattern == "t":
                size = TILE * TILE * self.size(operand)
                self.buffers[operand] = p.set(f"alloca [{size} x i8], align 64")
            if pattern == "s" and self.type(operand) != "position":
                width = 2 if self.complex(operand) else 1
                room = f"[{p.lanes * width} x {self.element(operand)}]"
                self.buffers[operand] = p.set(f"alloca {room}, align 64")

    def load_for_all(self, operand: int, pointer: str) -> str:
        """One element in every lane."""
        type = self.body.loads[operand]
        if type == "position":
            return self.p.splat("i64", self.p.set(f"ptrtoint ptr {pointer} to i64"))
        return self.p.splat(type, self.p.set(f"load {scalar(type)}, ptr {pointer}, align 1"))

    def load(self, operand: int, pointer: str, left: str | None) -> str:
        """A vector of an input; of its first `left` lanes only, where that is given."""
        if self.body.loads[operand] == "position":
            return self._positions(operand, pointer, left)
        if self.patterns[operand] == "s":
            return self._load_strided(operand, pointer, left)
        return self._load_contiguous(operand, pointer, left)

    def store(self, operand: int, pointer: str, value: str, left: str | None) -> None:
        """Write a vector of an output, or its first `left` lanes."""
        strided = self.patterns[operand] == "s"
        store = self._store_strided if strided else self._store_contiguous
        store(operand, pointer, value, left)

    def _mask(self, left: str, lanes: int) -> str:
        """The first lanes. Rows of 17 elements take 0.7 of the time with numbers of 32 bits that
        they take with those of 64."""
        p = self.p
        numbers = ", ".join(f"i32 {lane}" for lane in range(lanes))
        short = p.set(f"trunc i64 {left} to i32")
        first = p.set(f"insertelement <{lanes} x i32> poison, i32 {short}, i64 0")
        limit = p.set(
            f"shufflevector <{lanes} x i32> {first}, <{lanes} x i32> poison, "
            f"<{lanes} x i32> zeroinitializer"
        )
        return p.set(f"icmp slt <{lanes} x i32> <{numbers}>, {limit}")

    def _load_contiguous(self, operand: int, pointer: str, left: str | None) -> str:
        p, type = self.p, self.body.loads[operand]
        vector = p.vector(type)
        if left is None:
            return p.set(f"load {vector}, ptr {pointer}, align 1")
        name = p.intrinsic(
            f"llvm.masked.load.v{p.lanes}{type}.p0",
            vector,
            f"ptr, i32, <{p.lanes} x i1>, {vector}",
        )
        mask = self._mask(left, p.lanes)
        return p.set(
            f"call {vector} {name}(ptr {pointer}, i32 1, <{p.lanes} x i1> {mask}, "
            f"{vector} zeroinitializer)"
        )

    def _load_strided(self, operand: int, pointer: str, left: str | None) -> str:
        p, type = self.p, self.body.loads[operand]
        vector, stride = p.vector(type), self.strides[operand]
        known = _known(left, p.lanes)
        if known:
            value = "poison" if left is None else "zeroinitializer"
            for lane in range(known):
                at = p.shifted(pointer, str(lane), stride)
                element = p.set(f"load {scalar(type)}, ptr {at}, align 1")
                value = p.set(
                    f"insertelement {vector} {value}, {scalar(type)} {element}, i64 {lane}"
                )
            return value
        assert left is not None
        buffer = self.buffers[operand]
        p.line(f"store {vector} zeroinitializer, ptr {buffer}, align 64")

        def one(lane: str, _: list[str]) -> None:
            element = p.set(f"load {scalar(type)}, ptr {p.shifted(pointer, lane, stride)}, align 1")
            p.line(f"store {scalar(type)} {element}, ptr {self._in_buffer(operand, lane)}, align 1")

        p.loop("lane", "0", left, one, step=1)
        return p.set(f"load {vector}, ptr {buffer}, align 64")

    def _positions(self, operand: int, pointer: str, left: str | None) -> str:
        """Places along a row; behind its end 0, where nothing lies."""
        p, vector = self.p, self.p.vector("i64")
        lanes = ", ".join(f"i64 {lane}" for lane in range(p.lanes))
        stride = p.splat("i64", self.strides[operand])
        grown = p.set(f"mul {vector} {stride}, <{lanes}>")
        found = p.set(f"add {vector} {self.load_for_all(operand, pointer)}, {grown}")
        return found if left is None else self.first(found, vector, left)

    def first(self, value: str, vector: str, left: str) -> str:
        """The first lanes of a vector, and zeros."""
        there = f"<{self.p.lanes} x i1> {self._mask(left, self.p.lanes)}"
        return self.p.set(f"select {there}, {vector} {value}, {vector} zeroinitializer")

    def _in_buffer(self, operand: int, lane: str) -> str:
        return self.p.shifted(self.buffers[operand], lane, str(self.size(operand)))

    def _interleaved(self, operand: int, value: str) -> tuple[str, str, int]:
        """The vector to store: the value, or value and zero alternating for a complex output."""
        p, lanes = self.p, self.p.lanes
        vector = p.vector(self.type(operand))
        if not self.complex(operand):
            return vector, value, lanes
        order = ", ".join(f"i32 {lane}, i32 {lane + lanes}" for lane in range(lanes))
        both = p.set(
            f"shufflevector {vector} {value}, {vector} zeroinitializer, "
            f"<{2 * lanes} x i32> <{order}>"
        )
        return f"<{2 * lanes} x {self.element(operand)}>", both, 2 * lanes

    def _store_contiguous(self, operand: int, pointer: str, value: str, left: str | None) -> None:
        p = self.p
        vector, value, lanes = self._interleaved(operand, value)
        if left is None:
            how = f"align {self.alignment()}, !nontemporal !1" if self.streaming else "align 1"
            p.line(f"store {vector} {value}, ptr {pointer}, {how}")
            return
        if self.complex(operand):
            left = p.set(f"shl i64 {left}, 1")
        name = p.intrinsic(
            f"llvm.masked.store.v{lanes}{self.type(operand)}.p0",
            "void",
            f"{vector}, ptr, i32, <{lanes} x i1>",
        )
        mask = self._mask(left, lanes)
        p.line(f"call void {name}({vector} {value}, ptr {pointer}, i32 1, <{lanes} x i1> {mask})")

    def _store_strided(self, operand: int, pointer: str, value: str, left: str | None) -> None:
        p, stride = self.p, self.strides[operand]
        vector, value, _ = self._interleaved(operand, value)
        whole = f"i{8 * self.size(operand)}"  # a complex element moves as one integer
        known = _known(left, p.lanes)
        if known:
            elements = f"<{p.lanes} x {whole}>"
            value = p.set(f"bitcast {vector} {value} to {elements}")
            for lane in range(known):
                element = p.set(f"extractelement {elements} {value}, i64 {lane}")
                at = p.shifted(pointer, str(lane), stride)
                p.line(f"store {whole} {element}, ptr {at}, align 1")
            return
        assert left is not None
        buffer = self.buffers[operand]
        p.line(f"store {vector} {value}, ptr {buffer}, align 64")

        def one(lane: str, _: list[str]) -> None:
            element = p.set(f"load {whole}, ptr {self._in_buffer(operand, lane)}, align 1")
            p.line(f"store {whole} {element}, ptr {p.shifted(pointer, lane, stride)}, align 1")

        p.loop("lane", "0", left, one, step=1)


def _known(left: str | None, lanes: int) -> int:
    """How many lanes a vector has, or the first ones of it that count; 0 where only the kernel
    knows."""
    return lanes if left is None else int(left) if left.isdigit() else 0
