"""Programs written for Ascend, unchanged: our examples, and the operators' own documents."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
STRICT = ("-std=c++11", "-Wall", "-Werror", "-Wno-unused-variable")

EXAMPLES = {
    "hardsigmoid_backward": "0 0 1 1 1 0",
    "leaky_relu_backward": "2 0.75 1 5",
    "log_sigmoid_backward": "0.880797 0.5 0.119203 2.06115e-09",
    "silu_backward": "-0.0881041 -2.82704e-09 0.5 0.927671 1.0881",
    "smooth_l1_loss_backward": "-0.25 0 0.125 0.25",
}
DOCUMENTS = {
    "aclnnHardsigmoidBackward": (0, 0.166667, 0.333333, 0, 0, 0, 0, 0),
    "aclnnLogSigmoidBackward": (0.268941, 0.119203, 0.047426, 0.017986),
    "aclnnSiluBackward": (0.927671, 1.090784, 1.088104, 1.052665, 1.026547, 1.012326),
    "aclnnSmoothL1LossBackward": (-1, 0, 1, 1, 1, 1, 1, 1),
    "aclnnLeakyReluBackward": (2, 3, 4, 5),
}
# as the vendor's projects do it: two include folders, four libraries by their full paths
VENDOR_CMAKE = """
cmake_minimum_required(VERSION 3.14)
project(documents CXX)
set(CMAKE_CXX_STANDARD 11)
set(ASCEND_PATH $ENV{ASCEND_CUSTOM_PATH})
include_directories(${ASCEND_PATH}/include ${ASCEND_PATH}/include/aclnn)
%s
"""
VENDOR_TARGET = """
add_executable({0} {0}.cpp)
target_link_libraries({0} PRIVATE ${{ASCEND_PATH}}/lib64/libascendcl.so
  ${{ASCEND_PATH}}/lib64/libnnopbase.so ${{ASCEND_PATH}}/lib64/libopapi_math.so
  ${{ASCEND_PATH}}/lib64/libopapi_nn.so)
"""


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(toolkit, device, name):
    flags = ("--device", device, "--cxxflags=-Wall -Wextra -Werror")
    done = toolkit.cli("run", *flags, ROOT / "examples" / f"{name}.cpp")
    assert (done.returncode, done.stdout) == (0, f"{name}: {EXAMPLES[name]}\n"), done.stderr


def test_every_operator_has_an_example():
    from openaclnn.ops import by_default

    assert set(EXAMPLES) == set(by_default())


def test_the_tour(toolkit, device):
    done = toolkit.cli("run", "--device", device, ROOT / "examples" / "tour.cpp")
    *lines, refusal = done.stdout.splitlines()
    assert lines == [
        "playing Ascend910B3",
        "every second column, transposed: 0.5 1.09078 0.927671 1.0881",
        "first data: 1 1 3 2",
        "other data: 0.5 2 1.5 4",
        "after an asynchronous copy: -0.0907843 0.0723295 0.927671 1.09078",
        "time was measured: yes",
    ]
    shape = r"refused with 161002: \[PID: \d+\] \d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.\d{3} "
    assert re.match(shape + r"AclNN_Parameter_Error\(EZ1001\): aclnnSiluBackward: ", refusal)


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> Path:
    """The programs, cut from the documents as they are."""
    if not SEEDS.is_dir():
        pytest.skip(f"the documents are not here: {SEEDS}")
    folder = tmp_path_factory.mktemp("documents")
    for name in DOCUMENTS:
        blocks = re.findall(r"```\w*\n(.*?)```", (SEEDS / f"{name}.md").read_text(), re.DOTALL)
        (text,) = [block for block in blocks if "int main" in block]
        (folder / f"{name}.cpp").write_text(text)
    return folder


def _check(name: str, output: str) -> None:
    values = [float(value) for value in re.findall(r"result\[\d+\] is: (\S+)", output)]
    assert values == pytest.approx(DOCUMENTS[name], abs=5e-7), output


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_by_run(toolkit, device, documents, name):
    flags = ("--device", device, f"--cxxflags={' '.join(STRICT)}")
    done = toolkit.cli("run", *flags, documents / f"{name}.cpp")
    assert done.returncode == 0, done.stderr
    _check(name, done.stdout)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_has_no_mistake(toolkit, documents, name):
    """The sanitizer finds nothing in them: what they make they end."""
    done = toolkit.cli("sanitize", documents / f"{name}.cpp")
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("SUMMARY: openaclnn sanitizer: 0 errors\n"), done.stderr


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_by_compiler(toolkit, documents, tmp_path, name):
    made = toolkit.compile(documents / f"{name}.cpp", tmp_path / name, *STRICT)
    _check(name, toolkit.execute([made]).stdout)


def test_documents_by_the_vendors_cmake(toolkit, documents, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    targets = "".join(VENDOR_TARGET.format(name) for name in DOCUMENTS)
    (documents / "CMakeLists.txt").write_text(VENDOR_CMAKE % targets)
    script = f"""set -e; . {toolkit.home}/set_env.sh
        cmake -S {documents} -B {tmp_path} >/dev/null && cmake --build {tmp_path} >/dev/null"""
    done = toolkit.execute(["sh", "-c", script])
    assert done.returncode == 0, done.stderr
    for name in DOCUMENTS:
        _check(name, toolkit.execute([tmp_path / name]).stdout)


def test_weights_keep_their_format(toolkit, program):
    done = toolkit.execute([program("weights", *STRICT)])
    assert done.stdout == "right\n", done.stdout + done.stderr
