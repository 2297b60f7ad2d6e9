"""The operators: one file each, in a folder for each family. A file has an `OP`, or several `OPS`
that belong together (an operator and its in-place variant). There is no list.

A file is loaded when a name of it is first used. Folders of the user's own are named by the
variable OPENACLNN_OPS, or by an entry point `openaclnn.ops` of an installed package. What is built
in is looked for first, so that it is found whatever those folders are like.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.status import OpenaclnnError
from openaclnn.ops.files import File, files_below, trusted
from openaclnn.spec.declared import Declared, lines
from openaclnn.spec.formula import words_of
from openaclnn.spec.mistakes import OperatorFileError
from openaclnn.spec.op import Op

__all__ = [
    "VARIABLE", "OperatorFileError", "all_ops", "at_hand", "built_in", "by_default", "choose",
    "declared", "families", "family_of", "family_texts", "file_of", "find", "load", "of_each_kind",
    "own_folders", "own_ops", "snake",
]  # fmt: skip

VARIABLE, ENTRY_POINTS = "OPENACLNN_OPS", "openaclnn.ops"

Files = dict[str, list[File]]  # by their names without the ending

_loaded: dict[str, tuple[Op, File]] = {}  # by name
_c_names: dict[str, tuple[Op, File]] = {}


@cache
def _built_in() -> Files:
    return _by_stem(files_below(os.path.dirname(__file__)))


@cache
def _own() -> Files:
    return _by_stem(_own_files())


def choose(folders: Iterable[Path]) -> list[File]:
    """Take these folders of the user's own operators before those of the environment; the files
    in them."""
    chosen = [Path(os.path.abspath(folder)) for folder in folders]
    before = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = os.pathsep.join([*map(str, chosen), *filter(None, [before])])
    for cached in (_own, all_ops):
        cached.cache_clear()
    return [
        file
        for folder in chosen
        for file in files_below(trusted(folder, str(folder)), own=True, guarded=True)
    ]


def load(file: File) -> dict[str, Op]:
    """The operators of a file, by name; what is wrong with it is an error."""
    return _load(file)


def _by_stem(files: Iterable[File]) -> Files:
    found: Files = {}
    for file in files:
        found.setdefault(file.stem, []).append(file)
    return found


def own_folders() -> list[Path]:
    """The folders that the variable names, each once."""
    names = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    paths = (Path(os.path.abspath(os.path.expanduser(name))) for name in names)
    return list({os.path.realpath(path): path for path in paths}.values())


def _own_files() -> Iterator[File]:
    for folder in own_folders():
        yield from files_below(trusted(folder, VARIABLE), own=True, guarded=True)
    for folder in _entry_points():
        yield from files_below(folder, own=True)


def _entry_points() -> Iterator[Path]:
    """Folders of installed packages: what an entry point names is a module with a `__path__`."""
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        try:
            yield from map(Path, point.load().__path__)
        except Exception as error:
            raise OpenaclnnError(
                f"the entry point {point.name} = {point.value} of {ENTRY_POINTS}: "
                f"{type(error).__name__}: {error}"
            ) from error


@plain_arithmetic()  # Python rounds a file's numbers when it compiles them
def _load(file: File) -> dict[str, Op]:
    """The operators of a file, by name."""
    with fork_lock:
        ops = file.ops() if file.own else _checked(file)
        if file.own:
            for op in ops:
                _search(_built_in(), op.name)  # one that is built in is to be known now
        for op in ops:
            _refuse_taken(op, file)
        for op in ops:
            _c_names.setdefault(op.c_name, _loaded.setdefault(op.name, (op, file)))
        return {op.name: _loaded[op.name][0] for op in ops}


@cache
def _checked(file: File) -> tuple[Op, ...]:
    """The operators of a file of the package, which does not change: whoever looks for a friendly
    name asks for all of them."""
    return file.ops()


def _refuse_taken(op: Op, file: File) -> None:
    """Refuse a name that another file has, in Python's spelling or in C's."""
    for name, known in ((op.name, _loaded.get(op.name)), (op.c_name, _c_names.get(op.c_name))):
        if known is not None and known[1] != file:
            other, there = known
            if not file.own:  # the user's own one came first
                op, file, there = other, there, file
            raise OperatorFileError(
                file.path, file.line_of(op.name), f"{name} exists already, in {there.path}"
            )


@cache
def all_ops() -> dict[str, Op]:
    """Every operator by its Python name, in alphabetical order."""
    for files in (_built_in(), _own()):
        for file in (file for same in files.values() for file in same):
            _load(file)
    return {name: _loaded[name][0] for name in sorted(_loaded)}


def built_in() -> dict[str, Op]:
    """The operators that come with the package, whatever the user's own folders are like."""
    for file in (file for same in _built_in().values() for file in same):
        _load(file)
    return {name: op for name, (op, file) in sorted(_loaded.items()) if not file.own}


def by_default() -> dict[str, Op]:
    """The operators that proofs and benchmarks take where none is named: as their files say."""
    return {name: op for name, op in all_ops().items() if op.by_default}


def declared() -> dict[str, Declared]:
    """What programs can link and nobody computes, by Python name: lines of `spec/declared.txt`
    whose place no operator has taken."""
    all_ops()
    return {name: found for name, found in lines().items() if found.c_name not in _c_names}


def of_each_kind(by_steps: bool = True) -> dict[str, Op]:
    """Operators that stand for all: those that verification takes by default, the user's own, and
    of the others as many as have every kind of arguments and every word of formulas in them; and
    every function of steps, which three times as many have."""
    traits = {
        name: _traits_of(op) | ({op.steps} if by_steps else set()) for name, op in all_ops().items()
    }
    found = [name for name, op in all_ops().items() if op.by_default or file_of(op).own]
    missing = set().union(*traits.values()).difference(*(traits[name] for name in found))
    while missing:  # the one that has most of it, of several the first
        best = max(traits, key=lambda name: len(traits[name] & missing))
        found.append(best)
        missing -= traits[best]
    return {name: all_ops()[name] for name in sorted(found)}


def _traits_of(op: Op) -> set[object]:
    """The kinds of arguments that an operator has, and its formula's words. Each by itself: with
    their combinations nearly every operator is of its own kind."""
    words = {word.partition("described")[1] or word for t in op.expressions for word in words_of(t)}
    asked = ("host", "many", "optional")
    kinds = {(type(a), *(getattr(a, name, None) for name in asked)) for a in op.arguments}
    return {*words, *kinds}


def families() -> dict[str, list[Op]]:
    """The operators by family."""
    found: dict[str, list[Op]] = {}
    for op in all_ops().values():
        found.setdefault(family_of(op), []).append(op)
    return dict(sorted(found.items()))


def family_texts(family: str) -> tuple[str, str]:
    """What a family of the package is, in English and Chinese: its folder's first lines."""
    text = import_module(f"{__name__}.{family}").__doc__ or ""
    english, _, chinese = text.strip().partition("\n\n")
    return english, chinese


def own_ops() -> dict[str, Op]:
    """The operators of the user's own folders."""
    return {name: op for name, op in all_ops().items() if file_of(op).own}


def file_of(op: Op) -> File:
    return _loaded[op.name][1]


def family_of(op: Op) -> str:
    """The folder that an operator's file is in."""
    return file_of(op).family


def find(name: str) -> Op:
    """The operator of a name in either spelling.

    >>> find("aclnnSiluBackward") is find("silu_backward")
    True
    """
    wanted = snake(name)
    found = at_hand(wanted)
    if found is not None:
        return found
    if wanted in all_ops():  # a name that its file does not suggest
        return all_ops()[wanted]
    for op in all_ops().values():
        if name == op.c_name:
            return op
    known = declared().get(wanted)
    if known is not None:
        raise LookupError(
            f"{known.c_name} is declared, so that programs link, and not computed yet; "
            "openaclnn ops --all tells the two apart"
        )
    raise LookupError(f"there is no operator {name!r}{_suggestion(wanted)}")


def at_hand(*names: str) -> Op | None:
    """The operator of one of some names of ours, if it is loaded or in a file of such a name."""
    for name in names:
        if name in _loaded:
            return _loaded[name][0]
    for files in (_built_in, _own):
        for name in names:
            found = _search(files(), name)
            if found is not None:
                return found
    return None


def _search(files: Files, name: str) -> Op | None:
    """The operator of a name, if a file's name suggests where it is."""
    for stem in _likely(name):
        for file in files.get(stem, ()):
            found = _load(file).get(name)
            if found is not None:
                return found
    return None


def _suggestion(name: str) -> str:
    near = get_close_matches(name.lower(), all_ops(), n=3)
    if near:
        return f"; did you mean {' or '.join(near)}?"
    return "; openaclnn ops lists them, and docs/your-own-operators.md says how to add one"


def _likely(name: str) -> Iterator[str]:
    """The files in which an operator of this name is likely to be: that of its name, or that of the
    operator whose variant it is (in place, for a scalar); of operators of lists also that of the
    first words."""
    plain = name.removeprefix("inplace_")
    kinds = ("_tensor", "_scalar")
    endings = ("s", *kinds, *(first + second for first in kinds for second in kinds))
    yield from dict.fromkeys((name, plain, *(plain.removesuffix(ending) for ending in endings)))
    words = name.split("_") if name.startswith("foreach_") else ()
    yield from ("_".join(words[:count]) for count in range(len(words) - 1, 0, -1))


def snake(name: str) -> str:
    """Our spelling of one of aclnn's names.

    >>> snake("aclnnSmoothL1LossBackward"), snake("aclnnInplaceAdds"), snake("relu")
    ('smooth_l1_loss_backward', 'inplace_adds', 'relu')
    """
    if not name.startswith("aclnn"):
        return name
    parts: list[str] = []
    for letter in name.removeprefix("aclnn"):
        if letter.isupper() or not parts:
            parts.append("")
        parts[-1] += letter.lower()
    return "_".join(parts)
