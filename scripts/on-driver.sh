#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command on an OpenCL driver of choice, which is fetched the first time:
#
#   pocl         the machine's own PoCL
#   pocl-trixie  PoCL of Debian 13: in a root of that, with this tree in its place (needs root,
#                debootstrap and the right to mount)
#   intel        Intel's CPU runtime, from PyPI
#   oclgrind     the machine's own Oclgrind, as a driver
#   rusticl      Mesa's rusticl on llvmpipe, of the machine's distribution: unpacked, not installed,
#                since it would be every program's first platform (what it needs is, with apt)
#
# With --loader khronos the program goes to it by Khronos' own ICD loader, of which Intel's packages
# hold a build, instead of by the machine's. Drivers are kept in $DL_DRIVERS, ~/.cache/dl-drivers if not
# set, some 800 MB each. Where a driver or loader can't be had the exit code is 77, with a line that
# says why.
#
# usage: scripts/on-driver.sh [--loader khronos] pocl|pocl-trixie|intel|oclgrind|rusticl COMMAND [ARGUMENT]...
# e.g.:  scripts/on-driver.sh intel scripts/with-opencl.sh build ctest --test-dir build -R memory_
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
drivers=${DL_DRIVERS:-${XDG_CACHE_HOME:-$HOME/.cache}/dl-drivers}
intel_packages='intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0'
# The tests run in there as well, so their tools and libraries are part of it.
trixie_packages=pocl-opencl-icd,ocl-icd-libopencl1,libclang1-19
trixie_packages+=,libsubunit0,zlib1g,cmake,clinfo

missing() { # REASON
    echo "on-driver: $driver can't be had: $1" >&2
    exit 77
}

# once NAME FUNCTION: the folder NAME is made by FUNCTION FOLDER, whole or not at all, by one
# process.
once() {
    mkdir -p "$drivers"
    exec 9>"$drivers/$1.lock"
    flock 9
    if [ ! -e "$drivers/$1/ready" ]; then
        rm -rf "${drivers:?}/$1"
        mkdir "$drivers/$1"
        echo "on-driver: fetching $1" >&2
        "$2" "$drivers/$1" >"$drivers/$1.log" 2>&1 ||
            missing "$(grep -v '^ *$' "$drivers/$1.log" | tail -n 1) (all of it: $drivers/$1.log)"
        touch "$drivers/$1/ready"
    fi
    exec 9>&-
}

make_intel() {
    local library
    # shellcheck disable=SC2086 # two packages
    python3 -m pip install --quiet --no-cache-dir --disable-pip-version-check \
        --no-warn-script-location --only-binary :all: --ignore-installed --prefix "$1" \
        $intel_packages || return
    library=$(find "$1" -name libintelocl.so | head -n 1)
    [ -n "$library" ] || { echo 'the packages hold no libintelocl.so'; return 1; }
    mkdir "$1/vendors"
    echo "$library" >"$1/vendors/intel.icd"
}

# Khronos' loader with the libraries that it needs, and none of the others beside it.
make_khronos() {
    local name
    for name in libOpenCL.so.1 libsvml.so libirng.so libimf.so libintlc.so.5; do
        [ -e "$drivers/intel/lib/$name" ] || { echo "Intel's packages hold no $name"; return 1; }
        ln -s "$drivers/intel/lib/$name" "$1/$name"
    done
    grep -q 'Khronos OpenCL ICD Loader' "$1/libOpenCL.so.1" ||
        { echo "Intel's libOpenCL.so.1 is not Khronos' loader"; return 1; }
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

make_rusticl() {
    local library
    (cd "$1" && apt-get download -qq mesa-opencl-icd) || return
    dpkg-deb -x "$1"/mesa-opencl-icd_*.deb "$1/root" || return
    library=$(find "$1/root" -name libRusticlOpenCL.so.1)
    [ -n "$library" ] || { echo 'mesa-opencl-icd holds no rusticl'; return 1; }
    if ldd "$library" | grep -q 'not found'; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get satisfy -y -qq --no-install-recommends \
            "$(dpkg-deb -f "$1"/mesa-opencl-icd_*.deb Depends)" || return
    fi
    mkdir "$1/vendors"
    echo "$library" >"$1/vendors/rusticl.icd"
}

make_trixie() {
    debootstrap --variant=minbase --include="$trixie_packages" trixie "$1"
}

# Inside a mount namespace of its own, so that nothing stays mounted.
run_in_trixie() { # COMMAND...
    local root=$drivers/pocl-trixie folder
    [ "$(id -u)" -eq 0 ] || missing 'only root can change into its root'
    [ -e "$root/ready" ] || command -v debootstrap >/dev/null || missing 'debootstrap is not installed'
    unshare --mount true 2>/dev/null || missing 'nothing may be mounted here'
    once pocl-trixie make_trixie
    export POCL_CACHE_DIR=$drivers/pocl-trixie-kernels ROOT=$root
    mkdir -p "$POCL_CACHE_DIR"
    FOLDERS=
    for folder in "$source" "$PWD" "$drivers" "${DL_BUILD:-}" "${DL_CACHE:-}" "${TMPDIR:-/tmp}" /tmp; do
        if [ -n "$folder" ] && mkdir -p "$folder"; then
            FOLDERS+=$(cd "$folder" && pwd)$'\n'
        fi
    done
    export FOLDERS
    # shellcheck disable=SC2016 # for the shell inside
    exec unshare --mount bash -c '
        set -e
        mount -t proc proc "$ROOT/proc"
        mount --rbind /sys "$ROOT/sys"
        mount --rbind /dev "$ROOT/dev"
        while read -r folder; do
            [ -n "$folder" ] || continue
            mkdir -p "$ROOT$folder"
            mount --bind "$folder" "$ROOT$folder"
        done < <(printf %s "$FOLDERS" | sort -u)
        here=$PWD root=$ROOT
        unset ROOT FOLDERS OCL_ICD_VENDORS
        exec chroot "$root" /usr/bin/env -C "$here" "$@"' on-driver "$@"
}

loader=
if [ "${1:-}" = --loader ]; then
    loader=${2:-}
    shift 2
    [ "$loader" = khronos ] || { echo "on-driver: no loader '$loader'" >&2; exit 2; }
fi
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
driver=$1
shift
need_pypi() {
    [ "$(uname -m)" = x86_64 ] || missing "it is for x86-64, not $(uname -m)"
    python3 -m pip --version >/dev/null 2>&1 || missing 'pip is not installed'
    once intel make_intel
}
if [ -n "$loader" ]; then
    need_pypi
    once khronos make_khronos
    export LD_LIBRARY_PATH=$drivers/khronos${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi
# Not every loader takes a file for a folder of them.
vendors() { # NAME LIBRARY
    mkdir -p "$drivers/vendors-$1"
    echo "$2" >"$drivers/vendors-$1/$1.icd.$$" && mv "$drivers/vendors-$1/$1.icd.$$" "$drivers/vendors-$1/$1.icd"
    export OCL_ICD_VENDORS=$drivers/vendors-$1
}
case $driver in
pocl)
    [ -e /etc/OpenCL/vendors/pocl.icd ] || missing 'it is not installed'
    vendors pocl "$(cat /etc/OpenCL/vendors/pocl.icd)"
    exec "$@"
    ;;
oclgrind)
    library=$(find /usr/lib -name liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
    [ -n "$library" ] || missing 'it is not installed'
    vendors oclgrind "$library"
    exec "$@"
    ;;
rusticl)
    command -v apt-get >/dev/null || missing 'it is fetched with apt'
    once rusticl make_rusticl
    OCL_ICD_VENDORS=$drivers/rusticl/vendors
    ! ldd "$(cat "$OCL_ICD_VENDORS/rusticl.icd")" | grep -q 'not found' || missing "what it needs is not installed; rm -r $drivers/rusticl"
    GALLIUM_PIPE_SEARCH_DIR=$(find "$drivers/rusticl/root" -type d -name gallium-pipe)
    export OCL_ICD_VENDORS GALLIUM_PIPE_SEARCH_DIR RUSTICL_ENABLE=llvmpipe
    export MESA_SHADER_CACHE_DIR=$drivers/rusticl-kernels
    exec "$@"
    ;;
pocl-trixie) run_in_trixie "$@" ;;
intel)
    need_pypi
    export OCL_ICD_VENDORS=$drivers/intel/vendors
    exec "$@"
    ;;
*)
    echo "on-driver: no driver '$driver'" >&2
    exit 2
    ;;
esac
