#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs a wheel of DL where nothing is but Debian and its Python, as a user without rights, and runs a program under
# it: the OpenCL driver, its loader and libclang come from PyPI. Then all of it is gone without a leftover. The roots
# are made by mmdebstrap, once, in build/bare-roots, with a log of each. For releases: it takes some minutes and, at first,
# 200 MB a root.
#
# usage: scripts/bare-roots.sh WHEEL [SUITE]...    as root; the suites are bookworm, trixie and testing
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] && [ -f "$1" ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
wheel=$(realpath "$1")
shift
[ $# -ne 0 ] || set -- bookworm trixie testing
missing() {
    echo "bare-roots: $1" >&2
    exit 77
}
[ "$(id -u)" -eq 0 ] || missing 'only root makes roots and changes into them'
command -v mmdebstrap >/dev/null || missing 'mmdebstrap is not installed'
unshare --mount true 2>/dev/null || missing 'nothing may be mounted here'

# In a root: what a user without rights does.
if_bare='
set -eux
export PYOPENCL_NO_CACHE=1
cd
python3 -m venv env
. env/bin/activate
pip install --quiet --find-links /given/driver numpy pyopencl intel-opencl-rt intel-cmplr-lib-rt /given/*.whl
mkdir vendors
realpath env/lib/libintelocl.so >vendors/intel.icd
export OCL_ICD_VENDORS=$PWD/vendors
dl-run --version
dl-run --doctor
python3 /given/agents.py /given/agents.cl | tee native
for _ in 1 2 3; do
    dl-run --stats=stats.json -- python3 /given/agents.py /given/agents.cl | tee moved
    diff <(grep checksum native) <(grep checksum moved)
done
python3 - <<END
import json
kernel, = json.load(open("stats.json"))["kernels"]
print(kernel)
assert kernel["native_launches"] == 0 and kernel["buffers"][0]["layout"] != "AoS", "it does not gain"
END
dl-run --stats -- python3 /given/agents.py /given/agents.cl
dl-annotate /given/agents.cl -o rewritten.cl
python3 - <<END
import numpy, pyopencl, pyopencl.array, dl_transpose
context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices()[:1])
queue = pyopencl.CommandQueue(context)
array = numpy.arange(1021 * 1000, dtype="f4").reshape(1021, 1000)
turned = dl_transpose.transpose(queue, pyopencl.array.to_device(queue, array))
assert (turned.get() == array.T).all()
print("dl_transpose", dl_transpose.version())
END
pip uninstall --quiet --yes dl-opencl
left=$(find env -name "dl-*" -o -name "dl_*" -o -name "libdl_*" -o -name dl)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
'

try_root() { # SUITE
    local root=$PWD/build/bare-roots/$1
    # A mirror of testing may lag; its signatures are looked at all the same.
    [ -e "$root.tar" ] || {
        mmdebstrap --quiet --variant=minbase --include=python3,python3-venv \
            --aptopt='Acquire::Check-Valid-Until "false"' "$1" "$root.part.tar" &&
            mv "$root.part.tar" "$root.tar"
    } || return
    rm -rf "$root"
    mkdir "$root"
    tar -xf "$root.tar" -C "$root" --exclude './dev/*' || return
    mkdir "$root/given"
    cp -r "$wheel" build/bare-roots/driver docs/examples/agents.py samples/agents/agents.cl "$root/given"
    cp /etc/resolv.conf "$root/etc/"
    if [ -n "${PIP_CERT:-}" ]; then cp "$PIP_CERT" "$root/given/certificates"; fi
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount bash -c '
        set -e
        mount -t proc proc "$1/proc"
        mount --rbind /sys "$1/sys"
        mount --rbind /dev "$1/dev"
        chroot "$1" useradd --create-home user
        exec chroot "$1" setpriv --reuid=user --regid=user --clear-groups \
            env -i HOME=/home/user PATH=/usr/bin:/bin LANG=C.UTF-8 \
            ${PIP_CERT:+PIP_CERT=/given/certificates} bash -c "$2"' bare "$root" "$if_bare" || return
    rm -rf "$root"
}

status=0
mkdir -p build/bare-roots
# Of PyPI's drivers the one that needs no compiler or linker of the machine, as PoCL's does.
[ -d build/bare-roots/driver ] || python3 -m pip download --quiet --dest build/bare-roots/driver \
    intel-opencl-rt intel-cmplr-lib-rt
for suite; do
    if try_root "$suite" >"build/bare-roots/$suite.log" 2>&1; then
        echo "bare-roots: $suite: passed (build/bare-roots/$suite.log)"
    else
        echo "bare-roots: $suite: FAILED"
        tail -n 30 "build/bare-roots/$suite.log"
        status=1
    fi
done
exit $status
