#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""small_pocl.py SOURCE FOLDER: the machine's PoCL with fewer built-in functions, for the tests.

A process that compiles one small kernel spends two thirds of its time on PoCL's 23000 built-in functions: it
parses their declarations and loads all of their bodies. FOLDER becomes a PoCL with those alone that some file of
the tree calls by name, `name(`: of those that take vectors, the ones all of whose vector types stand in a file that
calls the function, and of those that take pointers, the ones whose address space and type stand in one. FOLDER/vendors
names it and the machine's other drivers. What compiles and runs is the machine's: its libpocl by a link, its LLVM,
the same declarations, without comments, and bodies. A text that needs a function that is not there does not build;
what a program composes has to be written out in a comment, `name(float4)`.

Where PoCL is not as expected there is no FOLDER and the tests run on PoCL as it is: they only take longer.
"""
import ctypes
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys

TEXTS = (".cl", ".c", ".h", ".sh", ".py", ".md", ".txt")
# Which library PoCL takes hangs on the processor; the others stay whole.
LIBRARIES = [("avx512f", "avx512"), ("avx2", "avx2"), ("avx", "avx"), ("", "sse41")]
FAMILIES = re.compile(r"(vload|vstore)\d+$")  # of the type that the pointer names; it need not name the vector
VECTORS = re.compile(r"\b(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)\b")
TYPES = re.compile(r"\bu?(?:char|short|int|long|float|double|half)\d*\b")
SPACES = re.compile(r"\b(?:__)?(global|local|constant)\b")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
LETTERS = {"c": "char", "a": "char", "h": "uchar", "s": "short", "t": "ushort", "i": "int", "j": "uint", "l": "long",
           "m": "ulong", "f": "float", "d": "double", "Dh": "half"}  # as symbols have them
PRIVATE = re.compile(r"Sleef_")  # functions that built-in ones alone call
INTERNAL = 8  # LLVMInternalLinkage


class NotAsExpected(Exception):
    pass


def find_pocl():
    """The library, by its one .icd file, and the other .icd files."""
    icds = glob.glob("/etc/OpenCL/vendors/*.icd")
    named = {icd: open(icd, encoding="utf-8").readline().strip() for icd in icds}
    pocl = [icd for icd, library in named.items() if "libpocl" in library]
    if len(pocl) != 1:
        raise NotAsExpected(f"{len(pocl)} of them in /etc/OpenCL/vendors")
    library = named[pocl[0]]
    if not os.path.isabs(library):
        known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
        paths = [os.path.join(path, library) for path in sorted(set(re.findall(r"=> (.*)/[^/]+$", known, re.M)))]
        library = next((path for path in paths if os.path.exists(path)), "")
    if not os.path.exists(library):
        raise NotAsExpected(f"no {named[pocl[0]]}")
    return os.path.realpath(library), [icd for icd in icds if icd not in pocl]


class Uses:
    """Of functions: those that the tree calls, with the types and address spaces of each file that does."""

    def __init__(self, source, declared):
        self.files = {}
        for folder, folders, names in os.walk(source):
            folders[:] = [name for name in folders if not name.startswith((".", "build", "__"))]
            for name in names:
                if name.endswith(TEXTS):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        text = re.sub(r"\bunsigned (?=char|short|int|long)", "u", file.read())
                    named = frozenset(TYPES.findall(text) + SPACES.findall(text))
                    for called in set(re.findall(r"\b([a-z]\w*)\s*\(", text)) & declared:
                        self.files.setdefault(called, set()).add(named)

    def need(self, name, vectors):
        own = name and VECTORS.findall(name.replace("_", " "))  # convert_uchar3_sat_rte
        return name in self.files and (FAMILIES.match(name) or
                                       set().union(*self.files[name]).issuperset(set(vectors).difference(own)))

    def declares(self, name, piece):
        """Also by what its pointers point to: a call of one that is missing is an error, and never another one's."""
        pointers = " ".join(each for each in re.split(r"[(),]", piece) if "*" in each)
        pointed = TYPES.findall(pointers) + SPACES.findall(pointers)
        return self.need(name, VECTORS.findall(piece)) and any(named.issuperset(pointed) for named in self.files[name])

    def __str__(self):
        return "\n".join(f"{name} {sorted(map(sorted, files))}" for name, files in sorted(self.files.items()))


def declarations(text):
    """Pieces of a header in their order, each with the name of the function that it declares, or None."""
    piece = ""
    for line in text.splitlines(keepends=True):
        piece += line
        stripped = line.strip()
        if piece == line and (not stripped or stripped.startswith(("#", "/", "*"))) or stripped.endswith(";"):
            bare = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", piece)
            name = re.search(r"(\w+)\s*\(", bare) if bare.rstrip().endswith(");") and bare[0] != "#" else None
            yield piece, name and name.group(1)
            piece = ""
    yield piece, None


def builtin(symbol):
    """The name of a built-in function by its mangled one; None: a function that PoCL itself calls."""
    mangled = re.match(r"_Z(\d+)(.*)", symbol)
    name = mangled and mangled.group(2)[: int(mangled.group(1))]
    return name and name.removeprefix("_cl_")


def vectors_of(symbol):
    return {LETTERS.get(letter, "") + width for width, letter in re.findall(r"Dv(\d+)_(Dh|[a-z])", symbol)}


def llvm_of(library):
    needed = subprocess.run(["ldd", library], capture_output=True, text=True, check=False).stdout
    found = re.search(r"=> (\S*libLLVM\S*)", needed)
    if not found:
        raise NotAsExpected("no LLVM of its own")
    llvm = ctypes.CDLL(found.group(1))
    for name in ("LLVMContextCreate", "LLVMGetFirstFunction", "LLVMGetNextFunction", "LLVMCreatePassBuilderOptions",
                 "LLVMRunPasses"):
        getattr(llvm, name).restype = ctypes.c_void_p
    llvm.LLVMGetValueName2.restype = ctypes.c_char_p
    return llvm


def functions(llvm, module):
    function = llvm.LLVMGetFirstFunction(module)
    while function:
        yield ctypes.c_void_p(function)
        function = llvm.LLVMGetNextFunction(ctypes.c_void_p(function))


def cut_library(llvm, path, out, uses):
    buffer, module, said = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
    context = ctypes.c_void_p(llvm.LLVMContextCreate())
    if llvm.LLVMCreateMemoryBufferWithContentsOfFile(path.encode(), ctypes.byref(buffer), ctypes.byref(said)):
        raise NotAsExpected(f"{path} can't be read")
    if llvm.LLVMParseBitcodeInContext2(context, buffer, ctypes.byref(module)):
        raise NotAsExpected(f"{path} can't be parsed")
    linkages = {}
    for function in functions(llvm, module):
        symbol = llvm.LLVMGetValueName2(function, ctypes.byref(ctypes.c_size_t())).decode()
        name = builtin(symbol)
        if llvm.LLVMIsDeclaration(function):
            continue
        if not uses.need(name, vectors_of(symbol)) if name else PRIVATE.match(symbol):
            linkages[symbol] = llvm.LLVMGetLinkage(function)
            llvm.LLVMSetLinkage(function, INTERNAL)
    options = ctypes.c_void_p(llvm.LLVMCreatePassBuilderOptions())
    if llvm.LLVMRunPasses(module, b"globaldce", None, options):
        raise NotAsExpected("its LLVM has no globaldce")
    for function in functions(llvm, module):  # what others call
        symbol = llvm.LLVMGetValueName2(function, ctypes.byref(ctypes.c_size_t())).decode()
        if symbol in linkages:
            llvm.LLVMSetLinkage(function, linkages[symbol])
    if llvm.LLVMWriteBitcodeToFile(module, out.encode()):
        raise NotAsExpected(f"{out} can't be written")


def library_name():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = set(re.findall(r"\w+", (re.findall(r"^flags\s*:(.*)$", file.read(), re.M) or [""])[0]))
    return next(name for flag, name in LIBRARIES if not flag or flag in flags)


def make(folder, library, others, uses):
    """FOLDER/lib/TRIPLET and FOLDER/share/pocl: where its data is, PoCL tells by where it was loaded from."""
    share = os.path.normpath(os.path.dirname(library) + "/../../share/pocl")
    lib = f"{folder}/lib/{os.path.basename(os.path.dirname(library))}"
    os.makedirs(lib)
    os.makedirs(f"{folder}/vendors")
    os.makedirs(f"{folder}/share/pocl/include")
    os.symlink(library, f"{lib}/{os.path.basename(library)}")
    if os.path.isdir(f"{os.path.dirname(library)}/pocl"):  # its devices
        os.symlink(f"{os.path.dirname(library)}/pocl", f"{lib}/pocl")
    for path in glob.glob(f"{share}/include/*.h"):
        with open(path, encoding="utf-8") as file:
            text = COMMENT.sub("", file.read().replace("\\\n", " "))
        if path.endswith("/opencl-c.h"):
            text = "".join(piece for piece, name in declarations(text) if name is None or uses.declares(name, piece))
        text = re.sub(r"^#define (\w+)\s+_cl_\1\n", lambda line: line[0] if line[1] in uses.files else "", text, flags=re.M)
        with open(f"{folder}/share/pocl/include/{os.path.basename(path)}", "w", encoding="utf-8") as file:
            file.write(re.sub(r"\n\s*\n", "\n", text))
    llvm = llvm_of(library)
    for path in glob.glob(f"{share}/*.bc"):
        out = f"{folder}/share/pocl/{os.path.basename(path)}"
        if path.endswith(f"-{library_name()}.bc"):
            cut_library(llvm, path, out, uses)
        else:
            os.symlink(path, out)
    for icd in others:
        shutil.copy(icd, f"{folder}/vendors")
    with open(f"{folder}/vendors/pocl.icd", "w", encoding="utf-8") as file:
        file.write(f"{lib}/{os.path.basename(library)}\n")


def main():
    source, folder = sys.argv[1], os.path.abspath(sys.argv[2])
    try:
        library, others = find_pocl()
        path = os.path.normpath(os.path.dirname(library) + "/../../share/pocl/include/opencl-c.h")
        if not os.path.exists(path):
            raise NotAsExpected(f"no {path}")
        with open(path, encoding="utf-8") as file:
            header = file.read()
        declared = {name for _, name in declarations(header) if name}
        uses = Uses(source, declared)
        with open(__file__, "rb") as file:
            rules = hashlib.sha256(file.read()).hexdigest()
        made_of = "\n".join([f"{library} {os.stat(library).st_mtime_ns}", *sorted(others), rules, f"{uses}\n"])
        if os.path.exists(f"{folder}/made-of"):
            with open(f"{folder}/made-of", encoding="utf-8") as file:
                if file.read() == made_of:
                    return
        shutil.rmtree(folder, ignore_errors=True)
        make(folder, library, others, uses)
        with open(f"{folder}/made-of", "w", encoding="utf-8") as file:
            file.write(made_of)
        print(f"small PoCL: {len(uses.files)} of {len(declared)} built-in functions")
    except NotAsExpected as reason:
        shutil.rmtree(folder, ignore_errors=True)
        print(f"the tests run on PoCL as it is: {reason}")


main()
