"""Programs that are built to find their leaks find their own, and only those."""

from __future__ import annotations

import pytest

SANITIZERS = ["address", "leak"]


@pytest.fixture(scope="module", params=SANITIZERS)
def sanitizer(request, toolkit, tmp_path_factory):
    """The compiler's flag; skips where the compiler or the machine cannot look for leaks."""
    flag, folder = f"-fsanitize={request.param}", tmp_path_factory.mktemp("sanitizer")
    source, target = folder / "leak.c", folder / "leak"
    source.write_text(
        "#include <stdlib.h>\nint main() { char *volatile p = malloc(9); p = 0; return p != 0; }\n"
    )
    made = toolkit.execute(["gcc", flag, source, "-o", target])
    if made.returncode or toolkit.execute([target]).returncode == 0:
        pytest.skip(f"{flag} finds no leaks here")
    return flag


def test_a_program_without_leaks_ends_well(toolkit, program, sanitizer):
    done = toolkit.execute([program("leaks", "-std=c++17", "-g", sanitizer)])
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_a_programs_own_leak_is_found(toolkit, program, sanitizer):
    done = toolkit.execute([program("leaks", "-std=c++17", "-g", sanitizer), "leak"])
    assert done.returncode != 0
    assert "400 byte(s) leaked in 1 allocation(s)" in done.stderr
    assert "leaks.cpp" in done.stderr
