# SPDX-License-Identifier: MIT
# Claims: dl-annotate transforms files, says what is wrong on standard error in one line, and
# exits 0 only when it wrote a transformed text.
tool=$DL_BUILD/bin/dl-annotate
cases=$DL_SOURCE/tests/cases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# expect STATUS PATTERN ARGS...: runs the tool; its standard error must match.
expect() {
    local status=$1 pattern=$2
    shift 2
    "$tool" "$@" >"$work/out" 2>"$work/err"
    local got=$?
    [ $got -eq "$status" ] || fail "status $got, not $status: $*"
    if [ -z "$pattern" ]; then
        [ ! -s "$work/err" ] || fail "unexpected words: $(cat "$work/err"): $*"
    else
        grep -qE "$pattern" "$work/err" || fail "'$(cat "$work/err")' lacks '$pattern': $*"
    fi
}

expect 0 "" "$cases/direct_field.cl" -o "$work/a.cl"
grep -q '^//DL: AoS: f\[global_size(0)\] AOS2ASTA_foo$' "$work/a.cl" || fail "no thesis form"
expect 0 "" "$cases/direct_field.cl" -o -
cmp -s "$work/out" "$work/a.cl" || fail "-o - writes another text"
# Its own output is not rewritten again.
expect 0 "" "$work/a.cl" -o "$work/b.cl"
cmp -s "$work/a.cl" "$work/b.cl" || fail "not idempotent"

expect 0 "" -DBLOCKS=2 "$cases/dimension_macro.cl" -o "$work/c.cl"
expect 1 "dimension_macro.cl:12:37: warning: .*BLOCKS" "$cases/dimension_macro.cl" -o "$work/no.cl"
expect 0 "" -D BLOCKS=2 "$cases/dimension_macro.cl" -o "$work/d.cl"
cmp -s "$work/c.cl" "$work/d.cl" || fail "-D X and -DX differ"
expect 0 "" -cl-std=CL1.2 --annotations "$cases/side_file.side" "$cases/side_file.cl" -o "$work/e.cl"
mkdir "$work/i n"
echo 'typedef struct { int x, y; } pair;' >"$work/i n/pair.h"
printf '#include <pair.h>\n//DL: AoS: f[1]\nkernel void go(global pair *f) { f->x = 1; }\n' >"$work/f.cl"
expect 0 "" "-I$work/i n" "$work/f.cl" -o "$work/g.cl"
expect 1 "f.cl:1:2: .*'pair.h' is not found" "$work/f.cl" -o "$work/no.cl"

expect 1 "refuse_cast_pointer.cl:8:28: warning: .* is cast" "$cases/refuse_cast_pointer.cl" -o "$work/no.cl"
grep -q "error: nothing was rewritten: the lines above say why" "$work/err" || fail "no error line"
# The command that it names is one that finds something.
expect 1 "has no //DL: annotation; --detect finds buffers without: dl-annotate --detect --explain $cases/detect_structs.cl$" \
    --explain "$cases/detect_structs.cl"
expect 0 "remark: kernel '.*' writes '" --detect --explain "$cases/detect_structs.cl"
expect 1 "passwd: warning: this is not a file of annotations" --annotations /etc/passwd "$cases/side_file.cl" -o "$work/no.cl"
[ "$(grep -c '^/etc/passwd' "$work/err")" = 4 ] || fail "not three lines and one: $(cat "$work/err")"
expect 1 "can't read '/nonexistent.cl': No such file" /nonexistent.cl
expect 1 "can't read '/nonexistent.cl': No such file" /nonexistent.cl -o "$work/no.cl"
expect 1 "can't read" "$work" -o "$work/no.cl"
expect 1 "can't write '$work/no/dir.cl'" "$cases/direct_field.cl" -o "$work/no/dir.cl"
# Neither its input nor a program is lost by a slip, nor is --detect asked for where it is.
cp "$cases/direct_field.cl" "$work/in.cl"
: >"$work/program"
chmod +x "$work/program" "$work/a.cl"
expect 1 "'$work/./in.cl' is not overwritten: it is the input; name another" "$work/in.cl" -o "$work/./in.cl"
cmp -s "$cases/direct_field.cl" "$work/in.cl" || fail "the input is overwritten"
expect 1 "is not overwritten: it is a program; name another file after -o" "$work/in.cl" -o "$work/program"
[ ! -s "$work/program" ] || fail "a program is overwritten"
expect 0 "" "$work/in.cl" -o "$work/a.cl"
expect 1 "'$work/program' has no kernel: name a file of OpenCL C; dl-run takes programs" --detect "$work/program" -o "$work/no.cl"
expect 1 "'/bin/sh' has no kernel" --explain /bin/sh
echo 'kernel void go(' >"$work/open.cl"
expect 1 "rewritten: it can't be read, as the lines above say: .*options" --detect "$work/open.cl" -o "$work/no.cl"
expect 1 "/nonexistent.side: .*can't be read: No such file" --annotations /nonexistent.side "$cases/side_file.cl" -o "$work/no.cl"
expect 1 "libclang is switched off" --libclang none "$cases/direct_field.cl" -o "$work/no.cl"
# A rewritten text needs no libclang.
expect 0 "" --libclang none "$work/a.cl" -o "$work/b.cl"

expect 0 "direct_field.cl:6:1: remark: kernel 'scale' writes 'f': structs 'foo' of 8 bytes with 2 fields" --explain "$cases/direct_field.cl" -o "$work/h.cl"
grep -q "direct_field.cl:9:5: remark: 'f' is reached through dl_foo_bar" "$work/err" || fail "no access explained"
cmp -s "$work/a.cl" "$work/h.cl" || fail "--explain writes another text"
expect 0 "remark: 'f' is reached through dl_foo_bar" --explain "$cases/direct_field.cl"
[ ! -s "$work/out" ] || fail "--explain without -o writes a text"
expect 0 "" --check "$cases/include_helper.cl" -o "$work/i.cl"
expect 0 "" --check "$cases/include_helper.cl"
# All kernels of a text as large as programs have are transformed.
expect 0 "" --check "$DL_SOURCE/tests/annotate/grains.cl"
# A text that does not build on tiles is found out.
sed 's/DL_ARGS(f))) \*= 2/DL_ARG(f))) *= 2/' "$work/a.cl" >"$work/broken.cl"
expect 1 "j.cl:[0-9]+:[0-9]+: warning: the program does not parse" --check "$work/broken.cl" -o "$work/j.cl"
sed -i 's/^\/\/DL-leaves: .*/\/\/DL-leaves: none/' "$work/broken.cl"
expect 1 "the layout table in this text is damaged" --check "$work/broken.cl" -o "$work/j.cl"

# A libclang that crashes takes no more with it than its one line.
real=$(ldconfig -p | awk '/libclang-[0-9]+\.so/ { print $NF; exit }')
echo 'void clang_parseTranslationUnit2(void) { *(volatile int *)0 = 0; }' >"$work/crash.c"
if [ -n "$real" ] && ${CC:-cc} -shared -fPIC -o "$work/crash.so" "$work/crash.c" \
    -Wl,--no-as-needed "$real" 2>"$work/err"; then
    expect 1 "error: nothing was rewritten: libclang crashed on '.*direct_field.cl'" \
        --libclang "$work/crash.so" "$cases/direct_field.cl" -o "$work/no.cl"
    [ "$(wc -l <"$work/err")" = 1 ] || fail "a crash gives more than a line"
fi

# What libclang can't read (here: an access qualifier on a pointer, a double that widens a vector of float) costs the
# kernels that need it, and no others; an annotation above such a kernel is not the next one's.
cat >"$work/unread.cl" <<'EOF'
typedef struct { float x, y, z, w; } point;
float3 odd(float3 v)
{
    return v * 2.0 + 0.5;
}
float3 calls(float3 v) { return odd(v); }
//DL: AoS: p[n]
__kernel void bad(__write_only __global point *p, int n) { p[get_global_id(0)].x = n; }
//DL: AoS: q[n]
__kernel void uses(__global point *q, int n) { q[get_global_id(0)].x = calls((float3)(n)).x; }
//DL: AoS: p[n]
__kernel void good(__global point *p, int n) { p[get_global_id(0)].x += n; }
EOF
expect 0 "unread.cl:8:19: warning: kernel 'bad' is left as it is: libclang can't read it: access qualifier" \
    --check "$work/unread.cl" -o "$work/read.cl"
grep -q "unread.cl:4:14: remark: kernels that call this function are left .*greater rank" "$work/err" ||
    fail "unread function: $(cat "$work/err")"
grep -q "unread.cl:10:.* kernel 'uses' is left as it is" "$work/err" || fail "unread caller: $(cat "$work/err")"
[ "$(grep -c '^//DL-kernel:' "$work/read.cl")" = 1 ] && grep -q '^//DL-kernel: good 2' "$work/read.cl" ||
    fail "unread kernels: $(grep '^//DL-' "$work/read.cl")"
# What no kernel reaches, by the names in what it does, is not read at all, and stays in the text. A helper of a helper is reached.
cat >"$work/reached.cl" <<'EOF'
typedef struct { float x, y, z, w; } point;
__attribute__((noinline)) float3 odd(float3 v) { return v * 2.0 + 0.5; }
struct __attribute__((packed)) kept { float x; };
float3 calls_odd(float3 v) { return odd(v); }
__constant float4 value = (float4){1, 2, 3, 4};
float inner(struct kept k) { return k.x + value.x; }
float helper(float v) { struct kept k = {v}; return inner(k); }
//DL: AoS: p[n]
__kernel void good(__global point *p, int n) { p[get_global_id(0)].x = helper(n); }
EOF
expect 0 "" --check "$work/reached.cl" -o "$work/kept.cl"
grep -q 'return v \* 2.0 + 0.5; }' "$work/kept.cl" || fail "what is not reached is gone: $(cat "$work/kept.cl")"
sed 's/return k.x/return odd((float3)(k.x)).x/' "$work/reached.cl" >"$work/reaches.cl"
expect 1 "reaches.cl:2:.* remark: kernels that call this function are left" --check "$work/reaches.cl" -o "$work/j.cl"
# What can't be read in what was rewritten is an error of the rewritten text.
sed 's/DL_ARGS(p))) += n/& + *p/' "$work/read.cl" >"$work/broken.cl"
expect 1 "does not parse" --check "$work/broken.cl" -o "$work/j.cl"
echo 'typedef odd table; kernel void go(global int *p) { p[0] = 1; }' >"$work/scope.cl"
expect 1 "the program does not parse" --detect "$work/scope.cl" -o "$work/j.cl"
# So do variables of program scope: with a value in braces, of a struct, several at once, without a value.
cat >"$work/constants.cl" <<'EOF'
typedef struct { float x, y, z, w; } point;
struct pair { int a, b; };
const float scale = 2.0f;
struct pair pairs[2] = {{1, 2}, {3, 4}};
const float one = 1, two[2] = {2, odd(3)}, four = 4;
float last;
__constant int fine[2] = {5, 6};
int first(int x) { return x + pairs[0].a; }
kernel void a(global point *p) { p[get_global_id(0)].x += scale; }
kernel void b(global point *p) { p[get_global_id(0)].x += first(1); }
kernel void c(global point *p) { p[get_global_id(0)].x += four; }
kernel void d(global point *p) { p[get_global_id(0)].x += last; }
kernel void good(global point *p) { p[get_global_id(0)].x += fine[1]; }
EOF
expect 0 "constants.cl:3:13: remark: kernels that use this constant are left as they are: libclang can't read it" \
    --detect "$work/constants.cl" -o "$work/read.cl"
[ "$(grep -c "remark: kernel '[abcd]' is left as it is: libclang can't read it" "$work/err")" = 4 ] ||
    fail "unread constants: $(cat "$work/err")"
[ "$(grep '^//DL-kernel:' "$work/read.cl")" = '//DL-kernel: good 1' ] || fail "kernels: $(grep '^//DL-' "$work/read.cl")"

expect 2 "no input file" -o "$work/no.cl"
expect 2 "no output file" "$cases/direct_field.cl"
expect 2 "unknown option --explian; did you mean --explain?" --explian "$cases/direct_field.cl"
expect 2 "unknown option --bogus" --bogus "$cases/direct_field.cl" -o "$work/no.cl"
[ "$(wc -l <"$work/err")" = 1 ] || fail "--bogus: more than one line"
expect 2 "unknown option -Wall" -Wall "$cases/direct_field.cl" -o "$work/no.cl"
expect 2 "unknown option -cool" -cool "$cases/direct_field.cl" -o "$work/no.cl"
expect 2 "a value is missing after --libclang" "$cases/direct_field.cl" --libclang
expect 2 "unknown option -x" -x "$cases/direct_field.cl" -o "$work/no.cl"
expect 2 "more than one input file" "$cases/direct_field.cl" "$cases/swizzle.cl" -o "$work/no.cl"
expect 2 "a value is missing after -o" "$cases/direct_field.cl" -o
[ ! -e "$work/no.cl" ] || fail "a refused run wrote a file"
expect 0 "" --help
grep -q '^usage: dl-annotate' "$work/out" || fail "no usage"
expect 0 "" -h
grep -q '^usage: dl-annotate' "$work/out" || fail "-h is not --help"
expect 0 "" -V
grep -qE '^dl-annotate [0-9]+\.[0-9]+' "$work/out" || fail "-V is not --version"
# Cut short, with `=`, and in paths with blanks. What --explain says is in the user's own words.
mkdir "$work/a b"
cp "$cases/direct_field.cl" "$work/a b/c d.cl"
expect 0 "remark: kernel .* their number is global_size\(0\)$" --expl "$work/a b/c d.cl"
grep -q 'arg(' "$work/err" && fail "--explain shows internals"
expect 0 "'w': rows of 5 elements of 4 bytes; their number is n$" --explain "$cases/flat_constant.cl"
expect 0 "'f': structs 'body' of 8 bytes with 2 fields; as many as fit the buffer$" --detect --explain "$cases/detect_structs.cl"
expect 0 "'g': elements of 4 bytes; as many as fit the buffer$" --explain "$cases/grid_arrays.cl"
expect 0 "'w' is read: structs by an index that is not understood, bytes 0 to 19; nothing must be changed, but w\\[i \\* 5 \\+ j\\] saves a division$" \
    --explain "$cases/flat_constant.cl"
expect 0 "rows of width elements of 4 bytes" --explain "$cases/flat_width_argument.cl"
grep -q 'arg(' "$work/err" && fail "--explain shows internals of a width"
expect 1 "the named libclang can't be loaded" --libcl="$work/a b/c d.cl" "$work/a b/c d.cl" -o "$work/a b/out.cl"
expect 0 "" "-I$work/a b" "$work/a b/c d.cl" -o "$work/a b/out.cl"
[ -s "$work/a b/out.cl" ] || fail "blanks in paths"
# A warning quotes its line.
expect 1 "unknown_buffer.cl:5:12: warning: there is no argument 'grid'; kernel 'go' runs as written" \
    "$cases/refuse_unknown_buffer.cl" -o "$work/no.cl"
grep -q '^    5 | //DL: AoS: grid\[global_size(0)\]$' "$work/err" && grep -q '^      |            ^$' "$work/err" ||
    fail "no excerpt: $(cat "$work/err")"
expect 0 "" --version
grep -qE '^dl-annotate [0-9]+\.[0-9]+' "$work/out" || fail "no version"
exit $failed
