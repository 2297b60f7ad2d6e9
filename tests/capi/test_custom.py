"""A user's own operators in C: in libcust_opapi.so, their headers where Ascend's users look."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest

from openaclnn.capi import build
from own_operators import make_folder

PROGRAMS = Path(__file__).parent / "programs"
BUILT_IN = "built in: 0 0.9277\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("mine") / "my ops")


@pytest.fixture(scope="module")
def own(toolkit, folder):
    return toolkit.with_own(folder)


def as_on_ascend(own, source: Path, target: Path) -> Path:
    """Compile a program as projects with operators of their own do it."""
    custom = own.home / "opp/vendors/customize/op_api"
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{PROGRAMS}"]
    command += [f"-I{own.home}/include", f"-I{custom}/include", source, "-o", target]
    command += [
        f"-L{custom}/lib",
        f"-L{own.home}/lib64",
        "-lcust_opapi",
        "-lascendcl",
        "-lnnopbase",
    ]
    done = own.execute([*command, f"-Wl,-rpath,{custom}/lib:{own.home}/lib64"])
    assert done.returncode == 0, done.stderr
    return target


def test_every_kind_of_argument(own, device, tmp_path):
    program = as_on_ascend(own, PROGRAMS / "own.cpp", tmp_path / "own")
    done = own.on(device).execute([program])
    assert (done.returncode, done.stdout) == (0, "own operators: right\n"), (
        done.stdout + done.stderr
    )


@pytest.mark.nightly  # test_misuse has the same library under sanitizers
def test_under_sanitizers(own, tmp_path):
    own.without_faults(own.sanitized(PROGRAMS / "own.cpp", tmp_path))


def test_by_run(own):
    done = own.cli("run", PROGRAMS / "own_or_not.cpp")
    assert done.stdout == "own: 0 9 \nown: 0 9 \n" + BUILT_IN, done.stderr


def test_by_set_env(own, tmp_path):
    """A shell that knows nothing of the folder, but sources the script."""
    source = PROGRAMS / "own_or_not.cpp"
    script = f"""set -eu; . '{own.home}/set_env.sh'; cd /
        g++ {source} -o {tmp_path}/a -I$ASCEND_HOME_PATH/include -L$ASCEND_HOME_PATH/lib64 \
            -I$ASCEND_CUSTOM_OPP_PATH/op_api/include -L$ASCEND_CUSTOM_OPP_PATH/op_api/lib \
            -lcust_opapi -lascendcl
        {tmp_path}/a; cat $ASCEND_OPP_PATH/vendors/config.ini"""
    env = {name: value for name, value in own.environment.items() if name != "OPENACLNN_OPS"}
    done = own.execute(["sh", "-c", script], env=env)
    expected = "own: 0 9 \nown: 0 9 \n" + BUILT_IN + "load_priority=customize\n"
    assert done.stdout == expected, done.stderr


def test_the_same_file_by_all_its_names(own):
    """Opened by its path, as by op-plugin, it is the library that is there already."""
    custom = own.home / "opp/vendors/customize/op_api/lib/libcust_opapi.so"
    assert custom.samefile(own.home / "lib64" / build.LIBRARY)
    library = ctypes.CDLL(str(custom))
    assert library.aclnnTriple
    assert library.aclnnInplaceTripleGetWorkspaceSize


@pytest.mark.parametrize(
    ("compiler", "standard"),
    [("gcc", "c89"), ("gcc", "c2x"), ("g++", "c++98"), ("g++", "c++11"), ("g++", "c++23")],
)
def test_every_own_header_compiles_alone(own, tmp_path, compiler, standard):
    custom = own.home / "opp/vendors/customize/op_api/include"
    language = "c" if compiler == "gcc" else "c++"
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    names = [path.name for path in custom.glob("*.h")]  # test_headers.py has those of all others
    assert {"aclnn_triple.h", "aclnn_every_kind.h"} <= {*names}
    for header in (
        folder / name for folder in (custom, own.home / "include/aclnnop") for name in names
    ):
        source = tmp_path / "alone"
        source.write_text(f'#include "{header}"\nint here;\n')
        command = [compiler, f"-x{language}", f"-std={standard}", *strict]
        done = own.execute([*command, f"-I{own.home}/include", source])
        assert done.returncode == 0, done.stderr


def test_what_headers_declare(own):
    header = (own.home / "include/aclnnop/aclnn_triple.h").read_text()
    assert "aclnnTripleGetWorkspaceSize(const aclTensor *self, aclTensor *out," in header
    assert "aclnnInplaceTripleGetWorkspaceSize(aclTensor *selfRef," in header
    assert header.index("aclnnTriple") < header.index("aclnnInplaceTriple")
    header = (own.home / "include/aclnnop/aclnn_every_kind.h").read_text()
    parameters = """
        const aclTensor *otherOptional, const aclTensorList *tensors, int8_t small, int32_t middle,
        int64_t large, uint32_t natural, uint64_t huge, float number, double precise, bool flag,
        const aclScalar *scalar, const aclScalar *factorOptional, const aclIntArray *dims,
        const aclFloatArray *weights, const aclBoolArray *maskOptional, aclDataType dtype,
        const char *modeOptional, aclTensor *out, aclTensor *restOptional, uint64_t *workspaceSize
    """
    assert " ".join(parameters.split()) in header


def test_two_settings_do_not_disturb_each_other(toolkit, own, tmp_path):
    assert own.home != toolkit.home
    assert not (toolkit.home / "include/aclnnop/aclnn_triple.h").exists()
    other = toolkit.with_own(make_folder(tmp_path / "other"))
    assert len({own.home, toolkit.home, other.home}) == 3
    assert str(tmp_path / "other") in (other.home / "set_env.sh").read_text()
    for kit in (own, other):
        assert kit.cli("home").stdout.strip() == str(kit.home)
    assert "OPENACLNN_OPS" not in (toolkit.home / "set_env.sh").read_text()


@pytest.fixture
def program(own, tmp_path) -> Path:
    return as_on_ascend(own, PROGRAMS / "own_or_not.cpp", tmp_path / "own_or_not")


def told(done) -> str:
    """What was said of the user's own operator, twice; the built-in one works."""
    first, second, built_in = done.stdout.splitlines(keepends=True)
    assert first == second
    assert built_in == BUILT_IN
    return first


def test_without_the_variable(own, folder, program):
    env = {name: value for name, value in own.environment.items() if name != "OPENACLNN_OPS"}
    assert told(own.execute([program], env=env)) == (
        "own: 561003 0 aclnnTriple: there is no operator triple here; it was in "
        f"{folder}/triple.py when the C library was made: set OPENACLNN_OPS to its folder where "
        "the program runs\n"
    )


def changed(own, folder: Path, tmp_path: Path, **files: str):
    """The same, where some files have other texts at run time."""
    there = shutil.copytree(folder, tmp_path / "changed")
    for name, text in files.items():
        (there / f"{name}.py").write_text(text)
    return own.execute, {**own.environment, "OPENACLNN_OPS": str(there)}


def test_a_file_that_no_longer_loads(own, folder, program, tmp_path):
    execute, env = changed(own, folder, tmp_path, triple="import math\n\nmath.nothing\n")
    said = told(execute([program], env=env))
    assert said.startswith(f"own: 561003 0 aclnnTriple: {env['OPENACLNN_OPS']}/triple.py:3: Attrib")


def test_a_formula_that_cannot_be_run(own, folder, program, tmp_path):
    """It was an internal error, 561000."""
    text = (folder / "triple.py").read_text().replace("3 * self", "sqrt(self)")
    execute, env = changed(own, folder, tmp_path, triple=text)
    place = f"{env['OPENACLNN_OPS']}/triple.py:{1 + text[: text.index('sqrt(')].count(chr(10))}"
    assert told(execute([program], env=env)) == (
        f"own: 561003 0 aclnnTriple: {place}: NameError: name 'sqrt' is not defined; "
        "use sqrt from openaclnn.spec.formula\n"
    )


def test_another_file_that_does_not_load(own, folder, program, tmp_path):
    execute, env = changed(own, folder, tmp_path, every_kind="1 +")
    assert told(execute([program], env=env)) == "own: 0 9 \n"


def test_an_operator_that_has_changed(own, folder, program, tmp_path):
    source = (folder / "triple.py").read_text()
    more = 'attributes=(Attr("by", "factor", "因子", INT64),),\n    in_place'
    text = source.replace("in_place", more).replace(
        "from openaclnn.spec.families",
        "from openaclnn.spec.host import INT64\nfrom openaclnn.spec.op import Attr\n"
        "from openaclnn.spec.families",
    )
    execute, env = changed(own, folder, tmp_path, triple=text)
    said = told(execute([program], env=env))
    assert said.startswith(
        "own: 561003 0 aclnnTriple: the C library was made for (const aclTensor *"
    )
    assert "int64_t by, aclTensor *out" in said
    assert "build the program anew" in said


def test_a_folder_that_others_can_write(own, folder, program, tmp_path):
    execute, env = changed(own, folder, tmp_path)
    Path(env["OPENACLNN_OPS"]).chmod(0o777)
    said = told(execute([program], env=env))
    assert f"OPENACLNN_OPS: {env['OPENACLNN_OPS']} can be written by others" in said


def test_home_and_run_with_a_file_that_does_not_load(own, folder, tmp_path):
    text = (folder / "triple.py").read_text().replace("3 * self", "max(self, 0)")
    _, env = changed(own, folder, tmp_path, triple=text)
    line = 1 + text[: text.index("max(")].count("\n")
    for command in (["home"], ["run", PROGRAMS / "own_or_not.cpp"], ["ops"], ["show", "triple"]):
        done = own.cli(*command, env=env)
        assert done.returncode == 2
        assert f"{env['OPENACLNN_OPS']}/triple.py:{line}: `self < 0` may hold" in done.stderr
        assert "Traceback" not in done.stderr
