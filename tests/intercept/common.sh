# SPDX-License-Identifier: MIT
# What the scripts here share: the fake driver behind several kinds of loaders, and the ways of
# catching a program. Sourced; DL_BUILD names the build directory.
set -u
tests=$DL_BUILD/tests
dl=${DL_LIBRARY:-$DL_BUILD/lib/libdl_intercept.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
# guard=$watched under ...: for programs that may hang; a busy machine is no reason to end them.
watched="$tests/watched -c 600"

machine_vendors=${OCL_ICD_VENDORS:-}
unset LD_PRELOAD OPENCL_LAYERS OCL_ICD_VENDORS OPENCL_VENDOR_PATH OCL_ICD_FILENAMES
unset DL_LAYOUT DL_TILE DL_ANNOTATIONS DL_DETECT DL_STATS DL_LOG
export DL_CACHE=off # what the driver is asked must not depend on what ran before
# A library built with a sanitizer needs its runtime first, in programs built without.
runtime=$(ldd "$dl" | awk '/lib(asan|tsan)\.so/ { print $3; exit }')

fail() {
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

finish() {
    [ "$failures" = 0 ] || exit 1
    exit 0
}

# under LOADER HOW COMMAND...: runs it over the fake driver.
#   LOADER  ocl-icd; layerless: a loader that knows no layers; loaderless: the driver is the
#           OpenCL library; bundled: the same under another name, beside an OpenCL library of
#           the usual name that knows no driver; khronos: the loader in directory
#           DL_TEST_KHRONOS; device: the machine's own loader and drivers
#   HOW     native, preload, layer (OPENCL_LAYERS), both
under() {
    local settings=() loader=$1 how=$2
    shift 2
    case $loader in
    ocl-icd) settings+=("OCL_ICD_VENDORS=$tests/vendors") ;;
    khronos) settings+=("OCL_ICD_VENDORS=$tests/vendors" "LD_LIBRARY_PATH=$DL_TEST_KHRONOS") ;;
    layerless)
        settings+=("FAKE_DRIVER=$tests/libfake_opencl.so" "LD_LIBRARY_PATH=$tests/layerless")
        ;;
    loaderless) settings+=("LD_LIBRARY_PATH=$tests/loaderless") ;;
    device) settings+=(${machine_vendors:+"OCL_ICD_VENDORS=$machine_vendors"}) ;;
    bundled)
        settings+=("CALLS_DECOY=libOpenCL.so.1" "OCL_ICD_VENDORS=$work"
            "CALLS_LIBRARY=$tests/libOpenCL-bundled.so")
        ;;
    esac
    case $how in
    native) ;;
    preload) settings+=("LD_PRELOAD=${runtime:+$runtime:}$dl") ;;
    layer) settings+=(${runtime:+"LD_PRELOAD=$runtime"} "OPENCL_LAYERS=$dl") ;;
    both) settings+=("LD_PRELOAD=${runtime:+$runtime:}$dl" "OPENCL_LAYERS=$dl") ;;
    esac
    # shellcheck disable=SC2086 # a command and its options
    ${guard:-} env "${settings[@]}" "$@"
}

loaders="ocl-icd layerless loaderless"
[ -z "${DL_TEST_KHRONOS:-}" ] || loaders="$loaders khronos"

# The ways of catching that a loader allows, and what DL says then.
ways_of() {
    case $1 in
    ocl-icd | khronos) echo preload layer both ;;
    *) echo preload ;;
    esac
}
said_under() {
    case $1 in
    ocl-icd | khronos) echo "caught as layer" ;;
    *) echo "caught as preload" ;;
    esac
}

# is_out_of_reach LOADER REACH: no layers, and no way in for a preloaded library.
is_out_of_reach() {
    case $2 in
    deepbind | namespace) [ "$(said_under "$1")" = "caught as preload" ] ;;
    *) false ;;
    esac
}

# The ways in which a program reaches OpenCL, and as commands.
reaches_of() {
    case $1 in
    bundled) echo dlsym bundled_plugin ;;
    *)
        echo linked dlsym plugin
        # Sanitizers refuse both. Nothing but a layer can come between such a program and its
        # loader.
        [ -n "$runtime" ] || echo deepbind
        [ -n "$runtime" ] || echo namespace
        ;;
    esac
}
program_of() {
    case $1 in
    linked) echo "$tests/host_linked" ;;
    dlsym) echo "$tests/host_dlsym" ;;
    plugin) echo "$tests/host_plugin $tests/libcalls_plugin.so" ;;
    bundled_plugin) echo "$tests/host_plugin $tests/libcalls_bundled.so" ;;
    namespace) echo "env CALLS_NAMESPACE=1 $tests/host_dlsym" ;;
    deepbind) echo "$tests/host_plugin $tests/libcalls_plugin.so deepbind" ;;
    esac
}
