"""The headers serve C and C++, say what the tables say, and declare nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from openaclnn.base.acl_codes import Code
from openaclnn.capi import build
from openaclnn.capi.runtime_api import SECTIONS, UNDECLARED
from openaclnn.ops import all_ops
from walks import in_turn

HEADERS = sorted(name.removeprefix("include/") for name in build.headers())

# Every function that programs were found to need, and a few constants that must never move.
FUNCTIONS = """
aclInit aclFinalize aclrtSetDevice aclrtResetDevice aclrtCreateStream aclrtDestroyStream
aclrtSynchronizeStream aclrtMalloc aclrtFree aclrtMemcpy aclCreateTensor aclDestroyTensor
aclCreateScalar aclDestroyScalar aclDestroyAclOpExecutor aclnnInit aclnnFinalize aclGetRecentErrMsg
aclCreateIntArray aclDestroyIntArray aclGetIntArraySize aclCreateFloatArray aclDestroyFloatArray
aclGetFloatArraySize aclCreateBoolArray aclDestroyBoolArray aclGetBoolArraySize aclCreateTensorList
aclDestroyTensorList aclGetTensorListSize aclCreateScalarList aclDestroyScalarList
aclGetScalarListSize aclrtMemcpyAsync aclrtMallocHost aclrtFreeHost aclrtMemset aclrtMemsetAsync
aclrtGetSocName aclrtGetMemInfo aclrtGetDevice aclrtGetDeviceCount aclrtGetRunMode
aclrtSynchronizeDevice aclrtCreateContext aclrtDestroyContext aclrtSetCurrentContext
aclrtGetCurrentContext aclrtCreateStreamWithConfig aclrtDestroyStreamForce
aclrtSynchronizeStreamWithTimeout aclrtStreamQuery aclrtStreamWaitEvent aclrtCreateEvent
aclrtCreateEventWithFlag aclrtCreateEventExWithFlag aclrtDestroyEvent aclrtRecordEvent
aclrtSynchronizeEvent aclrtQueryEvent aclrtQueryEventStatus aclrtEventElapsedTime
aclrtDeviceCanAccessPeer aclrtDeviceEnablePeerAccess aclrtResetDeviceForce aclrtMallocAlign32
aclFloat16ToFloat aclFloatToFloat16 aclDataTypeSize aclGetViewShape aclGetStorageShape
aclGetViewStrides aclGetViewOffset aclGetFormat aclGetDataType aclInitTensor aclSetRawTensorAddr
aclGetRawTensorAddr aclSetAclOpExecutorRepeatable aclSetInputTensorAddr aclSetOutputTensorAddr
aclSetTensorAddr AclSetInputTensorAddr AclSetOutputTensorAddr AclSetTensorAddr
aclSetDynamicInputTensorAddr aclSetDynamicOutputTensorAddr aclSetDynamicTensorAddr
AclSetDynamicInputTensorAddr AclSetDynamicOutputTensorAddr AclSetDynamicTensorAddr
""".split()  # noqa: SIM905
CONSTANTS = """
ACL_FLOAT=0 ACL_FLOAT16=1 ACL_BOOL=12 ACL_BF16=27 ACL_COMPLEX32=33 ACL_FLOAT4_E1M2=41
ACL_DT_UNDEFINED=-1 ACL_FORMAT_UNDEFINED=-1 ACL_FORMAT_ND=2 ACL_FRACTAL_Z_3D=33 ACL_FORMAT_NCL=47
ACL_FORMAT_FRACTAL_NZ_C0_8=54 ACL_MEMCPY_HOST_TO_HOST=0 ACL_MEMCPY_DEVICE_TO_HOST=2
ACL_MEMCPY_DEFAULT=4 ACL_MEM_MALLOC_HUGE_FIRST=0 ACL_MEM_MALLOC_NORMAL_ONLY_P2P=5 ACL_HOST=1
ACL_EVENT_STATUS_COMPLETE=0 ACL_EVENT_RECORDED_STATUS_COMPLETE=1 ACL_STREAM_STATUS_NOT_READY=1
ACL_EVENT_TIME_LINE=8 ACL_ERROR_FAILURE=500001 ACL_ERROR_RT_STREAM_SYNC_TIMEOUT=507046
ACL_ERROR_RT_WAIT_TIMEOUT=107019 ACL_HBM_MEM_HUGE=4 ACL_STREAM_FAST_SYNC=2 ACL_HBM_MEM=1
ACL_SUCCESS=0 ACLNN_SUCCESS=0
ACLNN_ERR_PARAM_NULLPTR=161001 ACLNN_ERR_PARAM_INVALID=161002 ACLNN_ERR_RUNTIME_ERROR=361001
ACLNN_ERR_INNER=561000 ACLNN_ERR_INNER_FIND_KERNEL_ERROR=561003
ACLNN_ERR_INNER_CREATE_EXECUTOR=561101 ACLNN_ERR_INNER_NULLPTR=561103
""".split()  # noqa: SIM905


STANDARDS = [
    *(("gcc", "c", standard) for standard in ("c89", "c99", "c11", "c17", "c2x")),
    *(("g++", "c++", f"c++{year}") for year in ("98", "11", "14", "17", "20", "23")),
]


STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


@pytest.mark.parametrize(("compiler", "language", "standard"), STANDARDS)
def test_the_headers_compile(toolkit, tmp_path, compiler, language, standard):
    source = tmp_path / "all"
    source.write_text("".join(f'#include "{header}"\n' for header in HEADERS) + "int here;\n")
    command = [compiler, f"-x{language}", f"-std={standard}", *STRICT]
    done = toolkit.execute([*command, f"-I{toolkit.home}/include", source])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("compiler", "language", "turn"), [("gcc", "c", 0), ("g++", "c++", 1)])
def test_every_header_compiles_alone(toolkit, tmp_path, compiler, language, turn):
    """In one of two languages; on a nightly run in both."""
    headers = [header for header in HEADERS if "level2" not in header]  # those include another one
    headers = in_turn(headers, turn, of=2)
    sources = [tmp_path / header.replace("/", "-") for header in headers]
    for header, source in zip(headers, sources, strict=True):
        source.write_text(f'#include "{header}"\nint here;\n')
    command = [compiler, f"-x{language}", *STRICT, f"-I{toolkit.home}/include"]
    done = toolkit.execute([*command, *sources])
    assert done.returncode == 0, done.stderr


# What programs in the wild say, and what stopped them.
WILD = {
    "an own constant": """#include "acl/acl.h"
        #include "aclnnop/aclnn_silu_backward.h"
        constexpr aclnnStatus ACLNN_SUCCESS = 0;
        enum { ACLNN_ERR_PARAM_NULLPTR = 161001 };
        int f() { return ACLNN_SUCCESS + OK; }""",
    "a scoped constant": """#include "acl/acl.h"
        namespace mine { enum Status { ACL_SUCCESS = 1, ACL_ERROR_FAILURE, ACL_ERROR_NONE }; }
        int f() { return ::ACL_SUCCESS + mine::ACL_SUCCESS + ::ACL_ERROR_FAILURE; }""",
    "constants where C++ wants them": """#include "acl/acl.h"
        int f(int code) {
          switch (code) {
            case ACL_SUCCESS: case ACL_ERROR_FAILURE: return 1;
            case ACL_ERROR_RT_STREAM_SYNC_TIMEOUT: return 2;
            default: return code == ACL_ERROR_FEATURE_UNSUPPORTED ? ACL_ERROR_GE_FAILURE : code;
          }
        }""",
    "visibility": """#include "acl/acl.h"
        #include "aclnn_util.h"
        extern "C" ACL_FUNC_VISIBILITY int f();
        extern "C" ACLNN_API int g();""",
    "malloc": """#include "aclnn/acl_meta.h"
        void* f() { return std::malloc(8); }
        void g(void* p) { free(p); }""",
    "a message": """#include "acl/acl.h"
        void f(int n) {
          ACL_APP_LOG(ACL_INFO, "no values");
          ACL_APP_LOG(ACL_ERROR, "n is %d", n);
        }""",
    "header names": """#include "aclnn_silu_backward.h"
        #include "acl_meta.h"
        #include "aclnnop/level2/aclnn_silu_backward.h"
        #include "acl/acl_op_compiler.h"
        #include "acl/acl_op.h"
        #include "acl/acl_mdl.h"
        #include "acl/acl_prof.h"
        #include "acl/error_codes/rt_error_codes.h"
        #include "opdev/op_errno.h"
        int f(aclopEngineType type) { return type == ACL_ENGINE_SYS ? ACLNN_SUCCESS : 1; }""",
    "variants": """#include "aclnnop/aclnn_add.h"
        void* f() { return reinterpret_cast<void*>(aclnnInplaceAddsGetWorkspaceSize); }""",
    "float16": """#include "aclnn/opdev/fp16_t.h"
        #include <vector>
        float f() {
          op::fp16_t a = 1.5f, b(2), c = a * b + 1.0f;
          std::vector<op::fp16_t> values(4, 1.0);
          values[0] += c;
          return a < b ? static_cast<float>(values[0]) : 0;
        }""",
}


@pytest.mark.parametrize("said", WILD)
def test_programs_in_the_wild_compile(toolkit, tmp_path, said):
    source = tmp_path / "wild.cpp"
    source.write_text(WILD[said])
    folders = [f"-I{toolkit.home}/{folder}" for folder in build.INCLUDES]
    done = toolkit.execute(
        ["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *folders, source]
    )
    assert done.returncode == 0, done.stderr


def test_constants(toolkit, tmp_path):
    rows = [constant.split("=") for constant in CONSTANTS]
    rows += [(code.c_name, str(int(code))) for code in Code]
    checks = "\n".join(f'static_assert({name} == {value}, "{name}");' for name, value in rows)
    source = tmp_path / "constants.cpp"
    source.write_text(f'#include "acl/acl.h"\n#include "aclnn/opdev/op_errno.h"\n{checks}\n')
    command = ["g++", "-std=c++11", "-fsyntax-only", f"-I{toolkit.home}/include", source]
    done = toolkit.execute(command)
    assert done.returncode == 0, done.stderr


def _exported(toolkit) -> set[str]:
    done = toolkit.execute(["nm", "-D", "--defined-only", toolkit.home / "lib64" / build.LIBRARY])
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[-1] for row in rows if row[-2] != "A"}  # some linkers have a symbol for a version


def test_the_library_exports_what_is_declared_and_nothing_else(toolkit):
    declared = set()
    declaration = re.compile(r"^\S.*?\b((?:[aA]cl|Hccl)\w+)\([^;{]*\);", re.M)
    for path in Path(toolkit.home, "include").rglob("*.h"):
        declared |= set(declaration.findall(path.read_text()))
    private = {f.name for s in SECTIONS if s.header == UNDECLARED for f in s.functions}
    assert _exported(toolkit) == declared | private
    assert declared >= set(FUNCTIONS)
    for op in all_ops().values():
        assert {op.c_name, f"{op.c_name}GetWorkspaceSize"} <= declared


def test_the_library_compiles_without_warnings(toolkit, tmp_path):
    files = dict(build.sources())
    for name, data in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    macros = [f'-D{name}="x"' for name in build.definitions()]
    strict = ["-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}/include"]
    sources = [str(path) for path in tmp_path.glob("c/*.c")]
    done = toolkit.execute(["gcc", *strict, *macros, "-fsyntax-only", *sources])
    assert done.returncode == 0, done.stderr
