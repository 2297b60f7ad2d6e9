"""Static analysis of what a program uses of the Ascend API: names in C and C++ sources, pyACL calls
in Python, undefined symbols and looked-up names of ELF files, calls of a trace.

>>> text = '''
... #include "aclnnop/aclnn_mm.h"
... #define RUN(OP, ...) aclnn##OP(__VA_ARGS__)  // aclnnNothing
... int main() { aclrtSetDevice(0); RUN(Mm, 0); return find("aclnnAdd") && done("aclnnMv failed"); }
... '''
>>> [use.name for use in in_sources({"a.cpp": text})]
['aclnn_mm.h', 'aclnnAdd', 'aclnnMm', 'aclrtSetDevice']
"""

from __future__ import annotations

import ast
import json
import re
import struct
import zipfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from openaclnn.base.records import dataclass

SOURCES = {
    ".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".h", ".hh", ".hpp", ".hxx", ".inc",
    ".inl",
}  # fmt: skip

# A comment, or a literal: whichever begins first hides what looks like the others inside it.
_HIDDEN = re.compile(
    r"//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL
)
_NAME = r"(?:acl|Hccl)\w*"
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[^>\"\n]*/)?(aclnn_\w+\.h)[>\"]", re.M)
_OPERATOR = re.compile(r"\baclnn[A-Z]\w*")
_CALLED = re.compile(rf"(?<![\w.>])({_NAME})\s*\(")
_LOOKED_UP = re.compile(rf"\b\w*(?:FUNC|SYM)\w*\s*\(\s*({_NAME})\s*[,)]")
_DEFINED = re.compile(
    rf"(?:\b(?!return\b|else\b)\w+|[*&>])\s+[*&]*({_NAME})\s*\([^;{{}}]*\)\s*(?:noexcept\s*)?\{{"
    rf"|\bauto\s*&?\s*({_NAME})\s*=|^[ \t]*#[ \t]*define[ \t]+({_NAME})",
    re.M,
)
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)((?:[^\n\\]|\\.|\\\n)*)", re.M | re.DOTALL
)
_PYTHON_CALL = re.compile(r"(?<![\w.])(acl(?:\.\w+)+)\s*\(")
_PYTHON_IMPORT = re.compile(r"^\s*(?:import acl\b|from acl\b)", re.M)
_FIRST_PHASE = "GetWorkspaceSize"


class NotReadable(ValueError):
    """A file that is neither a source, an ELF file nor a trace."""


@dataclass(frozen=True)
class Usage:
    """A name that a program uses, and where it does so first: `file:line`, or the file.

    An operator's two functions are one name; a header's name ends in `.h`. `by_name`: it stands in
    a text only, so that the program may look it up, and may do without."""

    name: str
    where: str
    by_name: bool = False


def in_paths(paths: Iterable[Path]) -> list[Usage]:
    """What files, and all sources and ELF files below folders, use; each name once."""
    named, below = [], []
    for path in paths:
        if path.is_dir():
            files = (p for p in sorted(path.rglob("*")) if p.is_file() and not p.is_symlink())
            below += [p for p in files if not _is_hidden(p.relative_to(path))]
        else:
            named.append(path)
    sources = {
        str(path): path.read_text(encoding="utf-8", errors="replace")
        for path in (*named, *below)
        if path.suffix in SOURCES
    }
    found = [use for use in in_sources(sources) if not _is_beside(use)]
    found += (use for path in below for use in _in_other(path))
    for path in named:
        others = list(_in_other(path))
        known = others or str(path) in sources or path.suffix == ".py" or _is_binary(path)
        found += others if known else in_trace(path)
    return _once(found)


def _is_beside(use: Usage) -> bool:
    """Whether a header is one of the program's own, in the folder of the file that includes it."""
    return use.name.endswith(".h") and (Path(use.where).parent / use.name).is_file()


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _is_binary(path: Path) -> bool:
    return path.suffix == ".whl" or _begins(path, b"\x7fELF")


def _in_other(path: Path) -> list[Usage]:
    """What a file uses that is no C source: a script, a wheel, an ELF file; else nothing."""
    if path.suffix == ".py":
        return in_python(str(path), path.read_text(encoding="utf-8", errors="replace"))
    if path.suffix == ".whl":
        return in_wheel(path)
    if path.suffix not in SOURCES and _begins(path, b"\x7fELF"):
        return in_elf(str(path), path.read_bytes())
    return []


def _begins(path: Path, mark: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(mark)) == mark
    except PermissionError:
        return False


def _once(uses: Iterable[Usage]) -> list[Usage]:
    """Headers, then functions by name."""
    found: dict[str, Usage] = {}
    for use in uses:
        known = found.get(use.name)
        if known is None or (known.by_name and not use.by_name):
            found[use.name] = use
    return sorted(found.values(), key=lambda use: (not use.name.endswith(".h"), use.name))


def in_sources(files: Mapping[str, str]) -> list[Usage]:
    """What C and C++ files use, token pasting (`aclnn##OP`) included."""
    texts = {name: _HIDDEN.sub(_blank, text) for name, text in files.items()}
    includes = {name: _HIDDEN.sub(_without_comments, text) for name, text in files.items()}
    defined = {
        name
        for text in texts.values()
        for match in _DEFINED.finditer(text)
        for name in filter(None, match.groups())
    }
    pasted = _pasting(texts.values())
    found: list[Usage] = []
    for file, text in texts.items():
        line = _Lines(file, text)
        for match in _INCLUDE.finditer(includes[file]):
            found.append(Usage(match[1], line(match.start(1))))
        for match in _OPERATOR.finditer(text):
            quoted = text[match.start() - 1] == '"'
            found.append(Usage(_plain(match[0]), line(match.start()), quoted))
        for pattern in (_CALLED, _LOOKED_UP):
            for match in pattern.finditer(text):
                found.append(Usage(_plain(match[1]), line(match.start(1))))
        for match in re.finditer(rf'"({_NAME})"', text):
            found.append(Usage(_plain(match[1]), line(match.start(1)), by_name=True))
        for name, place in _pasted(text, pasted):
            found.append(Usage(name, line(place)))
    own = {Path(file).name for file in files}
    return _once(use for use in found if use.name not in defined | own)


def _plain(name: str) -> str:
    """An operator's name without the ending of its first phase."""
    return name.removesuffix(_FIRST_PHASE) if name.startswith("aclnn") else name


def _blank(match: re.Match[str]) -> str:
    """Comments and literals as spaces, but for a text that is nothing but a name of the API."""
    text = match[0]
    if re.fullmatch(rf'"{_NAME}"', text):
        return text
    return re.sub(r"[^\n]", " ", text)


def _without_comments(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0]) if match[0].startswith("/") else match[0]


class _Lines:
    """`file:line` of a place in a text."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def __call__(self, place: int) -> str:
        return f"{self._file}:{bisect_right(self._starts, place)}"


def _pasting(texts: Iterable[str]) -> dict[str, set[int]]:
    """The macros that make an operator's name of an argument, and which one: directly, or by
    handing it to such a macro."""
    macros = {
        match[1]: ([p.strip() for p in match[2].split(",")], match[3])
        for text in texts
        for match in _DEFINE.finditer(text)
    }
    found: dict[str, set[int]] = {}
    grown = True
    while grown:
        grown = False
        for name, (parameters, body) in macros.items():
            pasted = {f for f in re.findall(r"\baclnn\s*##\s*(\w+)", body) if f in parameters}
            pasted |= {text for text, _ in _arguments(body, found) if text in parameters}
            places = {parameters.index(p) for p in pasted}
            if not places <= found.get(name, set()):
                found.setdefault(name, set()).update(places)
                grown = True
    return found


def _arguments(text: str, macros: Mapping[str, set[int]]) -> Iterator[tuple[str, int]]:
    """What calls of macros in a text have at the places of names, and where that is."""
    if not macros:
        return
    for match in re.finditer(rf"\b({'|'.join(macros)})\s*\(", text):
        for number, (argument, place) in enumerate(_split(text, match.end())):
            if number in macros[match[1]]:
                yield argument, place


def _pasted(text: str, macros: Mapping[str, set[int]]) -> Iterator[tuple[str, int]]:
    bodies = [match.span() for match in _DEFINE.finditer(text)]
    for argument, place in _arguments(text, macros):
        inside = any(start <= place < end for start, end in bodies)
        if not inside and re.fullmatch(r"[A-Z]\w*", argument):
            yield f"aclnn{argument}", place


def _split(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The arguments of a call whose parenthesis has just been opened."""
    depth, begin = 0, start
    for place in range(start, min(len(text), start + 10_000)):
        character = text[place]
        if character in "([{":
            depth += 1
        elif (character == "," and not depth) or (character in ")]}" and not depth):
            piece = text[begin:place]
            yield piece.strip(), begin + len(piece) - len(piece.lstrip())
            begin = place + 1
            if character != ",":
                return
        elif character in ")]}":
            depth -= 1


def in_python(file: str, text: str) -> list[Usage]:
    """The calls of pyACL in a script that imports `acl`."""
    if not _PYTHON_IMPORT.search(text):
        return []
    line = _Lines(file, text)
    return [
        Usage(match[1], line(match.start()))
        for match in _PYTHON_CALL.finditer(_without_python_texts(text))
    ]


def _without_python_texts(text: str) -> str:
    """A module with spaces for its comments and strings; as it is where it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    lines = text.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            for number in range(node.lineno - 1, (node.end_lineno or node.lineno)):
                encoded = lines[number].encode()
                start = node.col_offset if number == node.lineno - 1 else 0
                end = len(encoded)
                if number == (node.end_lineno or 0) - 1:
                    end = node.end_col_offset or end
                blank = b" " * (end - start)
                lines[number] = (encoded[:start] + blank + encoded[end:]).decode()
    return "\n".join(re.sub(r"#.*", lambda match: " " * len(match[0]), line) for line in lines)


def in_wheel(path: Path) -> list[Usage]:
    """What the ELF files and scripts of a Python wheel use."""
    found: list[Usage] = []
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            data = wheel.read(name) if name.endswith((".py", ".so")) or ".so." in name else b""
            where = f"{path.name}/{name}"
            if data.startswith(b"\x7fELF"):
                found += in_elf(where, data)
            elif name.endswith(".py"):
                found += in_python(where, data.decode("utf-8", "replace"))
    return found


def in_elf(file: str, data: bytes) -> list[Usage]:
    """What a program, library or object file leaves undefined, and names among its constants that
    it may look up with `dlsym`."""
    try:
        sections = list(_sections(data))
        found = [Usage(_plain(n), file) for s in sections for n in _undefined(data, sections, s)]
        for section in sections:
            if section.name.startswith(".rodata"):
                constants = data[section.offset : section.offset + section.size]
                for match in re.finditer(rb"(?:^|\0)((?:acl|Hccl)\w*)(?=\0)", constants):
                    found.append(Usage(_plain(match[1].decode("ascii")), file, by_name=True))
    except (struct.error, IndexError, UnicodeDecodeError):
        raise NotReadable(f"{file} is a damaged ELF file, or not one of 64 bits") from None
    return [use for use in found if re.match("(acl|Hccl)[a-z]*[A-Z]", use.name)]


@dataclass(frozen=True)
class _Section:
    name: str
    type: int
    offset: int
    size: int
    link: int


_SYMBOL_TABLES = (2, 11)  # of an object file, of a program or library
_SYMBOL = struct.Struct("<IBBHQQ")


def _sections(data: bytes) -> Iterator[_Section]:
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQI", data, start + size * k) for k in range(count)]
    if not headers:
        return
    at = headers[names][4]
    for name, type, _, _, offset, length, link in headers:
        yield _Section(_text_at(data, at + name), type, offset, length, link)


def _undefined(data: bytes, sections: list[_Section], table: _Section) -> Iterator[str]:
    if table.type not in _SYMBOL_TABLES:
        return
    names = sections[table.link].offset
    for at in range(table.offset, table.offset + table.size, _SYMBOL.size):
        name, _, _, section, _, _ = _SYMBOL.unpack_from(data, at)
        if name and not section:
            yield _text_at(data, names + name).partition("@")[0]


def _text_at(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode("utf-8", "replace")


def in_trace(path: Path) -> list[Usage]:
    """The calls of a trace that `openaclnn trace` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        events = data["traceEvents"] if isinstance(data, dict) else data
        names = {str(event.get("name", "")) for event in events}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NotReadable(
            f"{path} is of an unknown kind; expected C, C++ or Python sources, an ELF file "
            "(program, library, object), a wheel or a trace of openaclnn trace"
        ) from None
    called = re.compile("(acl|Hccl)[a-z]*[A-Z]\\w*")
    return [Usage(_plain(name), str(path)) for name in sorted(names) if called.fullmatch(name)]
