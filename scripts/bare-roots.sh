#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs DL where nothing is but Debian and its Python, uses it, and removes it again without a leftover: a wheel, as
# a user without rights, with the OpenCL driver, its loader and libclang from PyPI; or a folder of Debian packages. The
# roots are made by mmdebstrap, once, in build/bare-roots, with a log of each. For releases: it takes some minutes and, at
# first, 200 MB a root.
#
# usage: scripts/bare-roots.sh WHEEL|FOLDER [SUITE]...    as root; the suites are bookworm, trixie and testing
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] && [ -e "$1" ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
what=$(realpath "$1")
kind=wheel
[ ! -d "$what" ] || kind=packages
shift
[ $# -ne 0 ] || set -- bookworm trixie testing
missing() {
    echo "bare-roots: $1" >&2
    exit 77
}
[ "$(id -u)" -eq 0 ] || missing 'only root makes roots and changes into them'
command -v mmdebstrap >/dev/null || missing 'mmdebstrap is not installed'
unshare --mount true 2>/dev/null || missing 'nothing may be mounted here'

# In a root, as a user without rights does.
if_wheel='
set -eux
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
cat >gains.py <<END
import json
kernel, = json.load(open("stats.json"))["kernels"]
print(kernel)
raise SystemExit(kernel["native_launches"] > 1 or kernel["buffers"][0]["layout"] == "AoS")
END
gained=
for _ in 1 2 3 4 5 6 7 8; do # the third has the gain, unless what was measured was disturbed
    dl-run --stats=stats.json -- python3 /given/agents.py /given/agents.cl | tee moved
    diff <(grep checksum native) <(grep checksum moved)
    python3 gains.py && gained=yes && break
done
[ "$gained" = yes ]
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

# In a root, as root: what debian/tests does, too.
packages='dl-run dl-bench dl-dev libdl-transpose0.1 libdl-transpose-dev python3-dl-transpose'
if_packages='
set -eux
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends /given/*.deb $(sed -n "s/^Depends: dl-run, dl-dev, libdl-transpose-dev, python3-dl-transpose, //p" /given/control | tr -d ,)
bash /given/sample
dpkg -L '$packages' | sort -u >/files
apt-get purge -y '$packages'
while read -r file; do
    [ -d "$file" ] || [ ! -e "$file" ] || { echo "left behind: $file"; exit 1; }
done </files
# glibc has a dl_find_object.h.
find /usr -name dl -o -name "dl-*" -o -name "dl_*" -o -name "libdl_*" | while read -r file; do dpkg -S "$file"; done
'

try_root() { # SUITE
    local root=$PWD/build/bare-roots/$1 script=if_$kind
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
    if [ $kind = wheel ]; then
        cp -r "$what" build/bare-roots/driver docs/examples/agents.py samples/agents/agents.cl "$root/given"
    else
        cp "$what"/*.deb debian/tests/control debian/tests/sample "$root/given"
    fi
    cp /etc/resolv.conf "$root/etc/"
    if [ -n "${PIP_CERT:-}" ]; then cp "$PIP_CERT" "$root/given/certificates"; fi
    # shellcheck disable=SC2016 # for the shell inside
    unshare --mount bash -c '
        set -e
        mount -t proc proc "$1/proc"
        mount --rbind /sys "$1/sys"
        mount --rbind /dev "$1/dev"
        [ $3 = wheel ] || exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$2"
        chroot "$1" useradd --create-home user
        exec chroot "$1" setpriv --reuid=user --regid=user --clear-groups \
            env -i HOME=/home/user PATH=/usr/bin:/bin LANG=C.UTF-8 \
            ${PIP_CERT:+PIP_CERT=/given/certificates} bash -c "$2"' bare "$root" "${!script}" $kind || return
    rm -rf "$root"
}

status=0
mkdir -p build/bare-roots
# Of PyPI's drivers the one that needs no compiler or linker of the machine, as PoCL's does.
[ $kind = packages ] || [ -d build/bare-roots/driver ] || python3 -m pip download --quiet --dest build/bare-roots/driver \
    intel-opencl-rt intel-cmplr-lib-rt
for suite; do
    log=build/bare-roots/$suite-$kind.log
    if try_root "$suite" >"$log" 2>&1; then
        echo "bare-roots: $suite: passed ($log)"
    else
        echo "bare-roots: $suite: FAILED ($log)"
        tail -n 30 "$log"
        status=1
    fi
done
exit $status
