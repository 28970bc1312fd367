# SPDX-License-Identifier: MIT
# Not checked: see packaging/README.md.
from spack.package import *


class DlOpencl(CMakePackage):
    """DL: data layouts for OpenCL, changed under unmodified programs."""

    # DL has no public home yet: put in where the archive lies that `make dist` makes.
    url = "file:///dist/dl-0.1.0.tar.gz"

    license("MIT AND Apache-2.0 WITH LLVM-exception")

    # The checksum is that of dist/dl-0.1.0.tar.gz.
    version("0.1.0", sha256="0" * 64)

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("ocl-icd@2.3: +headers")
    depends_on("llvm@14:22 +clang")
    depends_on("xxhash@0.8:", type="build")
    depends_on("zlib-api")

    def cmake_args(self):
        return [
            self.define("DL_TESTS", False),
            self.define("DL_CLANG_INCLUDE_DIR", self.spec["llvm"].prefix.include),
        ]

    def setup_run_environment(self, env):
        # libclang is opened, not linked to.
        env.set("DL_LIBCLANG", join_path(self.spec["llvm"].prefix.lib, "libclang.so"))
