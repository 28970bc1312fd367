#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what building (or testing) DL needs and the machine lacks, with apt on Debian and its
# kin; elsewhere says what is needed. With everything there it does nothing and needs no root.
#
# usage: scripts/install-deps.sh build|demo|test|ci    each includes the ones before it
#        scripts/install-deps.sh deb                   build, and what `make deb` needs
#        DEPS=no ...                                   only says what is missing, and fails
set -eu

has_command() { command -v "$1" >/dev/null; }
has_pkg() { has_command pkg-config && pkg-config --exists "$1"; }
has_header() { echo "#include <$1>" | cc -E - -o /dev/null 2>/dev/null; }
has_file() { compgen -G "$1" >/dev/null; }
has_toolchain() { has_command make && has_command cc && has_header stdio.h; }
has_opencl() { has_pkg OpenCL && has_command cc && has_header CL/cl.h; }
has_opencl_layers() { has_command cc && has_header CL/cl_icd.h && has_header CL/cl_layer.h; }
has_driver() { has_file "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}/*.icd" || has_pkg pocl; }
has_mpi() { has_command mpirun && { has_pkg ompi-c || has_pkg mpich || has_pkg mpi-c; }; }
# The library and its C headers, of one version.
has_libclang() {
    local version
    for version in 14 15 16 17 18 19 20 21 22; do
        has_file "/usr/lib/llvm-$version/include/clang-c/Index.h" &&
            has_file "/usr/lib/llvm-$version/lib/libclang*.so*" && return
    done
    return 1
}
has_module() {
    local python
    for python in python3 /usr/bin/python3; do
        has_command $python && $python -c "import $1" 2>/dev/null && return
    done
    return 1
}

# level|package in Debian|what it is for|probe; with `?` what needs it is left out where apt does not
# have the package, which is Debian 13's case with oclgrind
needs='
build|build-essential|a C compiler and make|has_toolchain
build|cmake|cmake, 3.20 or newer|has_command cmake
build|pkg-config|pkg-config|has_command pkg-config
build|ocl-icd-opencl-dev|an OpenCL loader with its development files|has_opencl
build|opencl-headers|the OpenCL headers, with cl_icd.h and cl_layer.h|has_opencl_layers
build|libclang-dev|libclang, 14 to 22, with its C headers|has_libclang
build|zlib1g-dev|zlib|has_pkg zlib
build|libxxhash-dev|xxHash, 0.8 or newer|has_header xxhash.h
deb|file|file, by which cpack finds what a package depends on|has_command file
demo|pocl-opencl-icd|an OpenCL driver: PoCL runs on any CPU|has_driver
test|check|the unit test library check|has_pkg check
test|python3|python3|has_command python3
test?|ninja-build|ninja, which builds faster than make|has_command ninja
test?|file|file, for `make deb`|has_command file
test?|python3-pyopencl|pyopencl|has_module pyopencl
test?|python3-jsonschema|jsonschema|has_module jsonschema
test?|clinfo|clinfo|has_command clinfo
test?|zsh|zsh, for its completion|has_command zsh
test?|fish|fish, for its completion|has_command fish
test?|clpeak|clpeak|has_command clpeak
test?|oclgrind|oclgrind, a simulator that checks kernels|has_command oclgrind
test?|valgrind|valgrind|has_command valgrind
test?|libopenmpi-dev|MPI, for the sample lbm_mpi and commands in the documents|has_mpi
ci|python3-matplotlib|matplotlib, for bench/figures.py|has_module matplotlib
ci|clang|clang|has_command clang
ci|clang-format|clang-format|has_command clang-format
ci|mkdocs|mkdocs, which makes the site|has_command mkdocs
ci|mandoc|mandoc, for the manual pages in it|has_command mandoc
ci|chromium|chromium, which opens the pages of the site|has_command chromium
ci|python3-pip|pip, for a driver to compare with|python3 -m pip --version
'

case ${1:-} in
build) levels=' build ' ;;
deb) levels=' build deb ' ;;
demo) levels=' build demo ' ;;
test) levels=' build demo test ' ;;
ci) levels=' build demo test ci ' ;;
*)
    echo "usage: $0 build|deb|demo|test|ci" >&2
    exit 2
    ;;
esac

missing=()
wanted=()
missing_text=
while IFS='|' read -r level package purpose probe; do
    [[ -n $level && $levels == *" ${level%\?} "* ]] || continue
    $probe >/dev/null 2>&1 && continue
    if [ "$level" != "${level%\?}" ]; then
        wanted+=("$package")
        continue
    fi
    missing+=("$package")
    missing_text+="    $package: $purpose"$'\n'
done <<<"$needs"
[ ${#missing[@]} -eq 0 ] && [ ${#wanted[@]} -eq 0 ] && exit 0
left_out() { [ $# -eq 0 ] || echo "Not to be had here: $*; the tests that need it are skipped."; }

is_debian() {
    has_command apt-get && [ -r /etc/os-release ] &&
        (. /etc/os-release && [[ " $ID ${ID_LIKE:-} " == *" debian "* ]])
}
if [ "${DEPS:-yes}" = no ] || ! is_debian; then
    left_out "${wanted[@]}"
    [ ${#missing[@]} -ne 0 ] || exit 0
    printf 'Please install these first (by their names in Debian):\n%s' "$missing_text" >&2
    exit 1
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! has_command sudo; then
        printf 'Please run as root: apt-get install %s\n' "${missing[*]}" >&2
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# What apt has of the rest, by its lists as they are, or anew when there are none.
has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }
if [ ${#missing[@]} -ne 0 ] || ! has_candidate make; then
    $as_root apt-get update -qq >"$log" 2>&1 || true
fi
absent=()
for package in "${wanted[@]}"; do
    if has_candidate "$package"; then missing+=("$package"); else absent+=("$package"); fi
done
left_out "${absent[@]}"
[ ${#missing[@]} -ne 0 ] || exit 0
echo "Installing ${missing[*]} with apt (DEPS=no leaves that to you) ..."
# Everything into the log; on a terminal one line says how far it is.
progress() {
    [ -t 2 ] || exec cat >>"$log"
    tee -a "$log" | sed -un 's/^[dp][lm]status:[^:]*:\([0-9]*\)[.0-9]*:\(.*\)/\1 % \2/p' | while read -r line; do
        printf '\r\033[K%.79s' "$line" >&2
    done
    printf '\r\033[K' >&2
}
set -o pipefail
if ! $as_root apt-get install -y -qq --no-install-recommends -o APT::Status-Fd=1 "${missing[@]}" 2>&1 | progress; then
    tail -n 20 "$log" >&2
    printf 'These could not be installed; please install them by hand:\n%s' "$missing_text" >&2
    exit 1
fi
