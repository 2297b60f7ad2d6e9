"""Files are data: what can be read, and a sentence for everything else."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import random
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, INT32, UINT16
from openaclnn.compare import compare, npy
from openaclnn.compare.files import open_file
from openaclnn.compare.sources import STRETCH, UnreadableError

X = np.random.default_rng(0).normal(0, 1, (70, 1000)).astype(np.float32)  # more than a stretch


def read(place: object, *args: object) -> np.ndarray:
    source = open_file(place, *args)
    parts = list(source.walk())
    assert all(part.size == STRETCH for part in parts[:-1])
    flat = np.concatenate(parts) if parts else np.zeros(0, source.dtype.numpy)
    assert flat.dtype == source.dtype.numpy
    return flat.reshape(source.shape)


@pytest.mark.parametrize(
    "array",
    [
        X, X.astype(np.float16), X.astype(np.float64), X.astype(ml_dtypes.bfloat16),
        X.astype(">f4"), X.T, np.asfortranarray(X.astype(ml_dtypes.bfloat16)),
        np.float32(3), np.zeros((0, 4), np.float32),
    ],
    ids=["f32", "f16", "f64", "bf16", "big-endian", "fortran", "fortran bf16", "0-D", "empty"],
)  # fmt: skip
def test_npy_and_npz(tmp_path: Path, array: np.ndarray) -> None:
    np.save(tmp_path / "x.npy", array)
    np.savez(tmp_path / "x.npz", a=array)
    np.savez_compressed(tmp_path / "y.npz", a=array, b=X)
    for place in ("x.npy", "x.npz", "x.npz:a", "y.npz:a"):
        np.testing.assert_array_equal(
            read(tmp_path / place).astype(np.float64), array.astype(np.float64)
        )


def test_bit_patterns(tmp_path: Path) -> None:
    half = X.astype(ml_dtypes.bfloat16)
    np.save(tmp_path / "u.npy", half.view(np.uint16))
    np.save(tmp_path / "v.npy", half.view("V2"))
    half.tofile(tmp_path / "x.bin")
    for name in ("u.npy", "v.npy"):
        np.testing.assert_array_equal(read(tmp_path / name, BF16), half)
        with pytest.raises(UnreadableError, match="elements of 2 bytes; FLOAT needs 4"):
            open_file(tmp_path / name, FLOAT)
    assert open_file(tmp_path / "u.npy").dtype is UINT16
    with pytest.raises(UnreadableError, match="bit patterns, say of which"):
        open_file(tmp_path / "v.npy")
    np.testing.assert_array_equal(read(tmp_path / "x.bin", BF16, X.shape), half)
    np.testing.assert_array_equal(read(tmp_path / "x.bin", BF16), half.ravel())


def test_pt(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.tensor(X)
    torch.save(tensor, tmp_path / "x.pt")
    torch.save({"a": tensor.bfloat16(), "b": tensor.T}, tmp_path / "d.pt")
    torch.save(tensor, tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    for name in ("x.pt", "old.pt"):
        np.testing.assert_array_equal(read(tmp_path / name), X)
    np.testing.assert_array_equal(read(f"{tmp_path}/d.pt:b"), X.T)
    assert open_file(f"{tmp_path}/d.pt:a").dtype is BF16
    with pytest.raises(UnreadableError, match=r"choose one as .*d.pt:NAME of a, b"):
        open_file(tmp_path / "d.pt")
    torch.save([1, 2], tmp_path / "list.pt")
    with pytest.raises(UnreadableError, match="holds a list; expected a tensor"):
        open_file(tmp_path / "list.pt")
    torch.save(torch.ones(3, dtype=torch.int32), tmp_path / "int.pt")
    assert open_file(tmp_path / "int.pt").dtype is INT32
    torch.save(torch.ones(3, dtype=torch.complex64), tmp_path / "complex.pt")
    with pytest.raises(UnreadableError, match=r"tensor of torch.complex64"):
        open_file(tmp_path / "complex.pt")


def test_tensors_without_values(tmp_path: Path) -> None:
    """What a file can hold that is no row of numbers: a sentence each, in memory or in a file."""
    torch = pytest.importorskip("torch")
    warnings.simplefilter("ignore")  # nested tensors are new
    rows = {
        "meta": (torch.ones(3, device="meta"), "on meta"),
        "negated": (torch._neg_view(torch.ones(3)), "lazy negation"),
        "nested": (torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), "nested"),
        "sparse": (torch.eye(3).to_sparse(), "sparse_coo"),
    }
    for name, (tensor, words) in rows.items():
        with pytest.raises(UnreadableError, match=words):
            compare(tensor, X)
        torch.save(tensor, tmp_path / f"{name}.pt")
        with pytest.raises(UnreadableError):
            open_file(tmp_path / f"{name}.pt")


def test_an_expanded_tensor_takes_no_memory(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.save(torch.ones(1).expand(2**40), tmp_path / "bomb.pt")
    source = open_file(tmp_path / "bomb.pt")
    assert source.shape == (2**40,)
    assert next(source.walk()).tolist() == [1.0] * STRETCH
    with pytest.raises(ValueError, match="shapes differ"):
        compare(tmp_path / "bomb.pt", X)
    assert compare(torch.ones(1, 3).bfloat16().expand(2, 3), np.ones((2, 3))).passed


@pytest.mark.parametrize("left", [4, 11])
def test_a_storage_that_is_cut(tmp_path: Path, left: int) -> None:
    """The loader would read on, into whatever follows in the file."""
    torch = pytest.importorskip("torch")
    torch.save({"a": torch.ones(3), "b": torch.ones(3), "c": torch.ones(0)}, tmp_path / "whole.pt")
    assert read(f"{tmp_path}/whole.pt:b").tolist() == [1.0] * 3
    with (
        zipfile.ZipFile(tmp_path / "whole.pt") as whole,
        zipfile.ZipFile(tmp_path / "cut.pt", "w") as cut,
    ):
        for name in whole.namelist():
            data = whole.read(name)
            cut.writestr(name, data[:left] if name.endswith("/data/0") else data)
    for member in "ab":
        with pytest.raises(UnreadableError, match=r"cut.pt is damaged: a tensor needs 12 bytes"):
            open_file(f"{tmp_path}/cut.pt:{member}")


def test_pytorchs_own_words_stay_inside(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("torch")
    (tmp_path / "p.pt").write_bytes(pickle.dumps({"x": frozenset()}, protocol=4))
    with pytest.raises(UnreadableError) as caught:
        open_file(tmp_path / "p.pt")
    for words in ("file an issue", "Check the documentation", "Weights only"):
        assert words not in str(caught.value)
    assert not recwarn.list


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> object:
        return os.mkdir, (str(self.target),)


def test_nothing_is_executed(tmp_path: Path) -> None:
    target = tmp_path / "executed"
    objects = np.array([Bomb(target)], object)
    np.save(tmp_path / "x.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "x.npz", a=objects, allow_pickle=True)
    (tmp_path / "p.npy").write_bytes(pickle.dumps(Bomb(target)))
    for name in ("x.npy", "x.npz:a", "p.npy"):
        with pytest.raises(UnreadableError, match=r"Python objects|not a .npy file"):
            open_file(tmp_path / name)
    for descr in ("__import__('os').mkdir('x')", "'<f4', 'shape': (open('x', 'w'),)"):
        header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': (1,)}}\n".encode()
        data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        (tmp_path / "h.npy").write_bytes(data)
        with pytest.raises(UnreadableError, match=r"damaged .npy header"):
            open_file(tmp_path / "h.npy")
    torch = pytest.importorskip("torch")
    torch.save(Bomb(target), tmp_path / "x.pt")
    (tmp_path / "p.pt").write_bytes(pickle.dumps(Bomb(target)))
    (tmp_path / "t.pt").write_bytes(b"no pickle at all")
    for name in ("x.pt", "p.pt", "t.pt"):
        with pytest.raises(
            UnreadableError, match="refused by PyTorch's weights-only loader"
        ) as caught:
            open_file(tmp_path / name)
        assert "trusted" not in str(caught.value)
        assert name != "x.pt" or "mkdir" in str(caught.value)
    assert not target.exists()


def npy_bytes(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


WHOLE = npy_bytes(X)
MALFORMED = [
    ("x.npy", b"", "ends inside its .npy header"),
    ("x.npy", b"hello, world", "not a .npy file"),
    ("x.npy", WHOLE[:5], "ends inside"),
    ("x.npy", WHOLE[:40], "ends inside"),
    ("x.npy", WHOLE[:-1], r"holds 279999 bytes of data, but .* \[70, 1000\] of float32, 280000"),
    ("x.npy", WHOLE + b"1234", "it is not what it says"),
    ("x.npy", WHOLE.replace(b"\x01\x00", b"\x09\x00", 1), "version 9"),
    ("x.npy", WHOLE.replace(b"<f4", b"<q9", 1), "unknown type"),
    ("x.npy", npy_bytes(np.ones(3, np.complex64)), "type complex64; expected real numbers"),
    ("x.npy", WHOLE.replace(b"(70, 1000)", b"(-7, 1000)", 1), "damaged"),
    ("x.npy", WHOLE.replace(b"(70, 1000)", b"(1e9, 100)", 1), "damaged"),
    ("x.npy", npy_bytes(np.zeros(2, [("a", "f4"), ("b", "i4")])), "records with fields"),
    ("x.npy", npy_bytes(np.array(["text"])), "type <U4"),
    ("x.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + WHOLE[10:], "header of 4294967295 bytes"),
    ("x.npz", b"PK\x03\x04 and no more", "not a readable .npz file"),
    ("x.npz", WHOLE, "not a readable .npz file"),
    ("x.bin", b"1234567", "not a multiple of a FLOAT16 element's size"),
    ("x.txt", b"1 2 3", "unknown kind; expected .npy, .npz, .pt, .bin"),
]


@pytest.mark.parametrize(("name", "data", "sentence"), MALFORMED)
def test_malformed_files_get_a_sentence(
    tmp_path: Path, name: str, data: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(data)
    dtype = FLOAT16 if name == "x.bin" else None
    with pytest.raises(UnreadableError, match=sentence):
        open_file(tmp_path / name, dtype)


def test_more_sentences(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="there is no file"):
        open_file(tmp_path / "x.npy")
    (tmp_path / "x.bin").write_bytes(bytes(12))
    with pytest.raises(UnreadableError, match="say with --dtype"):
        open_file(tmp_path / "x.bin")
    with pytest.raises(UnreadableError, match=r"has 12 bytes; \[2, 3\] of FLOAT takes 24"):
        open_file(tmp_path / "x.bin", FLOAT, (2, 3))
    with pytest.raises(UnreadableError, match="holds one array"):
        open_file(f"{tmp_path}/x.bin:a", FLOAT)
    np.savez(tmp_path / "x.npz", a=X, b=X)
    with pytest.raises(UnreadableError, match="no array 'c'; it has a, b"):
        open_file(f"{tmp_path}/x.npz:c")
    with zipfile.ZipFile(tmp_path / "empty.npz", "w"):
        pass
    with pytest.raises(UnreadableError, match="holds no arrays"):
        open_file(tmp_path / "empty.npz")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damage_inside_an_archive(tmp_path: Path, save: object) -> None:
    save(tmp_path / "x.npz", a=X)  # type: ignore[operator]
    data = bytearray((tmp_path / "x.npz").read_bytes())
    data[5000] ^= 255
    (tmp_path / "x.npz").write_bytes(data)
    with pytest.raises(UnreadableError, match=r"x.npz:a is damaged"):
        read(tmp_path / "x.npz")


@pytest.mark.parametrize("kind", ["npy", "npz"])
def test_any_damage_is_a_sentence_or_harmless(tmp_path: Path, kind: str) -> None:
    array = X[:7, :9]
    np.save(tmp_path / "golden.npy", array.astype(np.float64))
    stream = io.BytesIO()
    np.save(stream, array) if kind == "npy" else np.savez(stream, a=array)
    whole = stream.getvalue()
    chance = random.Random(0)
    for _ in range(300):
        data = bytearray(whole)
        place = chance.randrange(chance.choice([130, len(data)]))
        if chance.random() < 0.7:
            data[place] = chance.randrange(256)
        else:
            del data[place : place + chance.randrange(1, 20)]
        (tmp_path / f"x.{kind}").write_bytes(data)
        with contextlib.suppress(ValueError):  # its sentence, or that of differing shapes
            compare(tmp_path / f"x.{kind}", tmp_path / "golden.npy")


@pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT])
def test_written_files_are_numpys(tmp_path: Path, dtype: object) -> None:
    array = X[:3, :5].astype(dtype.numpy)  # type: ignore[attr-defined]
    npy.write(tmp_path / "x.npy", array, dtype)  # type: ignore[arg-type]
    np.save(tmp_path / "y.npy", array)
    assert (tmp_path / "x.npy").read_bytes() == (tmp_path / "y.npy").read_bytes()
    for odd in (array[:0], array[0], array[0, 0]):
        npy.write(tmp_path / "x.npy", odd, dtype)  # type: ignore[arg-type]
        assert np.load(tmp_path / "x.npy").shape == odd.shape


def test_large_files_need_little_memory(tmp_path: Path) -> None:
    count = 1 << 24
    for name, descr in (("a", "<f4"), ("g", "<f8")):
        with open(tmp_path / f"{name}.npy", "wb") as file:  # zeros that take no room on the disk
            np.lib.format.write_array_header_1_0(
                file, {"descr": descr, "fortran_order": False, "shape": (count,)}
            )
            file.truncate(file.tell() + count * int(descr[-1]))
    tracemalloc.start()
    try:
        result = compare(tmp_path / "a.npy", tmp_path / "g.npy")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.passed
    assert result.equal == count
    assert peak < 32 << 20  # of 192 MB
