"""A CMake package and a pkg-config file in the toolkit folder. Both name folders relative to
themselves, so that the toolkit may be copied."""

from __future__ import annotations

from collections.abc import Sequence

_CMAKE = """\
# find_package(openaclnn), target_link_libraries(program PRIVATE openaclnn::openaclnn)
get_filename_component(openaclnn_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(openaclnn_VERSION "@VERSION@")
if(NOT TARGET openaclnn::openaclnn)
  add_library(openaclnn::openaclnn SHARED IMPORTED)
  set_target_properties(openaclnn::openaclnn PROPERTIES
    IMPORTED_LOCATION "${openaclnn_ROOT}/@LIBRARY@"
    INTERFACE_INCLUDE_DIRECTORIES "@INCLUDES@")
endif()
"""

_CMAKE_VERSION = """\
# A later version serves those who ask for an earlier one.
set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
"""

_PKG_CONFIG = """\
prefix=${pcfiledir}/../..
Name: openaclnn
Description: Run aclnn programs without an NPU
Version: @VERSION@
Libs: -L${prefix}/lib64 -Wl,-rpath,${prefix}/lib64 -lascendcl
Cflags: @INCLUDES@
"""


def files(version: str, library: str, includes: Sequence[str]) -> dict[str, str]:
    """The files by their path in the toolkit."""

    def filled(text: str, folders: str) -> str:
        text = text.replace("@VERSION@", version).replace("@LIBRARY@", library)
        return text.replace("@INCLUDES@", folders)

    cmake = ";".join(f"${{openaclnn_ROOT}}/{folder}" for folder in includes)
    flags = " ".join(f"-I${{prefix}}/{folder}" for folder in includes)
    return {
        "share/cmake/openaclnn/openaclnnConfig.cmake": filled(_CMAKE, cmake),
        "share/cmake/openaclnn/openaclnnConfigVersion.cmake": filled(_CMAKE_VERSION, ""),
        "share/pkgconfig/openaclnn.pc": filled(_PKG_CONFIG, flags),
    }
