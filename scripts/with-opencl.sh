#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command with what PoCL needs: a cache folder that is not the user's, and, where there is
# no /sys (a bare chroot), a description of the machine, without which PoCL finds no memory and
# aborts. DL's own cache is not the user's, either.
#
# usage: scripts/with-opencl.sh BUILD_FOLDER COMMAND [ARGUMENT]...
set -eu
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$(cd "$1" && pwd)/pocl-cache}
export DL_CACHE=${DL_CACHE:-$(cd "$1" && pwd)/dl-cache}
mkdir -p "$POCL_CACHE_DIR"
shift
if [ ! -d /sys/devices/system/cpu ] && [ -z "${HWLOC_SYNTHETIC:-}" ]; then
    memory_kib=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null || true)
    export HWLOC_SYNTHETIC="[numa(memory=$((${memory_kib:-4194304} * 1024)))] core:$(nproc) pu:1"
    export HWLOC_THISSYSTEM=1 # the threads may be bound to these processors
fi
exec "$@"
