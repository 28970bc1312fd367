// run: every structs words:1 words:1 n
// group: 8
typedef struct {
    uint4 a, b, c;
    uint w[6];
    float2 v;
} row;

// One load of all but the last member, which only some read.
//DL: AoS: f[n] AOS2ASTA_row
//DL-table: 2
/* prelude */
static __global uint4 *dl_of_row_a(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(uint4, dl_f, dl_i, 80, 0, 16);
}
static __global uint4 *dl_of_row_b(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(uint4, dl_f, dl_i, 80, 16, 16);
}
static __global uint4 *dl_of_row_c(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(uint4, dl_f, dl_i, 80, 32, 16);
}
static __global unsigned int *dl_of_row_w(__global const row *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(unsigned int, dl_f, dl_i, 80, 48 + dl_k0 * 4, 4);
}
static __global float2 *dl_of_row_v(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float2, dl_f, dl_i, 80, 72, 8);
}
//DL-kernel: every 4
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 10 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(3, i4, 0)
//DL-access: gather 0+16 read
//DL-access: gather 16+16 read
//DL-access: gather 32+16 read
//DL-access: gather 48+4 read
//DL-access: gather 52+4 read
//DL-access: gather 56+4 read
//DL-access: gather 60+4 read
//DL-access: gather 64+4 read
//DL-access: gather 72+8 read conditional
//DL-access: gather 60+4 read conditional
//DL-access: gather 68+4 read
//DL-access: gather 48+24 read walks loops 1 counted 1 rounds 3
//DL-end: every
#line 11
kernel void every(global const row *f, global uint *to, global const uint *order, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const uint j = order[i] % (uint)n;
    uint r = ((*dl_of_row_a(f, j DL_ARGS(f))) ^ (*dl_of_row_b(f, j DL_ARGS(f)))).x ^ (*dl_of_row_c(f, j DL_ARGS(f))).y ^ (*dl_of_row_w(f, j, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, j, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, j, (2) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, j, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, j, (4) DL_ARGS(f)));
    if (r & 1)
        r += (uint)(*dl_of_row_v(f, j DL_ARGS(f))).x + (*dl_of_row_w(f, j, (3) DL_ARGS(f)));
    for (int k = 0; k < 3; k++)
        r = r * 3 + (*dl_of_row_w(f, j, (5) DL_ARGS(f))) + (*dl_of_row_w(f, j, (k) DL_ARGS(f)));
    to[i] = r ^ (*dl_of_row_w(f, j, (5) DL_ARGS(f)));
}

// All work-items come to all of it; the store is the last that is done.
//DL: AoS: f[] AOS2ASTA_row
//DL-kernel: all 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 80 line 28 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: *
//DL-access: linear 1 48+4 read write
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 32+16 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 60+4 read
//DL-access: linear 1 64+4 read
//DL-access: linear 1 68+4 read
//DL-end: all
#line 29
kernel void all(global row *f DL_PARAMS(f))
{
    const size_t i = get_global_id(0);

    (*dl_of_row_w(f, i, (0) DL_ARGS(f))) = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_c(f, i DL_ARGS(f))).y ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
}

// Without braces, at a fixed expression.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: bare 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 38 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 32+16 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 60+4 read
//DL-access: linear 1 64+4 read
//DL-access: linear 1 68+4 read
//DL-end: bare
#line 39
kernel void bare(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    if (get_global_id(0) < n)
        to[get_global_id(0)] = ((*dl_of_row_a(f, get_global_id(0) DL_ARGS(f))) ^ (*dl_of_row_b(f, get_global_id(0) DL_ARGS(f)))).x ^ (*dl_of_row_c(f, get_global_id(0) DL_ARGS(f))).y
             ^ (*dl_of_row_w(f, get_global_id(0), (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, get_global_id(0), (1) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, get_global_id(0), (2) DL_ARGS(f))) ^ (*dl_of_row_w(f, get_global_id(0), (3) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, get_global_id(0), (4) DL_ARGS(f))) ^ (*dl_of_row_w(f, get_global_id(0), (5) DL_ARGS(f)));
}

// What is stored in between may be the struct's.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: stored_between 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 49 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 32+16 read
//DL-access: linear 1 60+4 read
//DL-access: linear 1 64+4 read
//DL-access: linear 1 68+4 read
//DL-end: stored_between
#line 50
kernel void stored_between(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f)));
        to[i] = r;
        to[i] += (*dl_of_row_c(f, i DL_ARGS(f))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
    }
}

uint stores(global uint *to, uint r)
{
    *to = r;
    return r;
}

// By a helper, too.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: stored_by_helper 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 69 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 48+4 read
//DL-access: linear 1 32+16 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 60+4 read
//DL-access: linear 1 64+4 read
//DL-access: linear 1 68+4 read
//DL-end: stored_by_helper
#line 70
kernel void stored_by_helper(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = stores(to + i, (*dl_of_row_w(f, i, (0) DL_ARGS(f))));
        r ^= (*dl_of_row_c(f, i DL_ARGS(f))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
        to[i] = r;
    }
}

// Another struct each time.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: moves 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 83 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear -1 32+16 read
//DL-access: linear -1 48+4 read
//DL-access: linear -1 52+4 read
//DL-access: linear -1 56+4 read
//DL-access: linear -1 60+4 read
//DL-access: linear -1 64+4 read
//DL-access: linear -1 68+4 read
//DL-end: moves
#line 84
kernel void moves(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    int i = get_global_id(0);

    if (i < n) {
        uint r = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f)));
        i = n - 1 - i;
        r ^= (*dl_of_row_c(f, i DL_ARGS(f))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
        to[i] = r;
    }
}

// Not all are read by all.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: some_of_some 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 98 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 32+16 read conditional
//DL-access: linear 1 48+4 read conditional
//DL-access: linear 1 52+4 read conditional
//DL-access: linear 1 56+4 read conditional
//DL-access: linear 1 60+4 read conditional
//DL-access: linear 1 64+4 read conditional
//DL-access: linear 1 68+4 read conditional
//DL-end: some_of_some
#line 99
kernel void some_of_some(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i < n) {
        uint r = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f)));
        if (r)
            r ^= (*dl_of_row_c(f, i DL_ARGS(f))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f)))
             ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
        to[i] = r;
    }
}

// Too few.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: few 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 113 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 32+16 read
//DL-end: few
#line 114
kernel void few(global const row *f, global uint *to, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i < n)
        to[i] = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_c(f, i DL_ARGS(f))).x;
}

// A component is stored on the way.
//DL: AoS: f[n] AOS2ASTA_row
//DL-kernel: stored_by_component 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 80 line 123 type row
//DL-leaves: 0+16*3 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 32+16 read
//DL-access: linear 1 48+4 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 56+4 read
//DL-access: linear 1 60+4 read
//DL-access: linear 1 64+4 read
//DL-access: linear 1 68+4 read
//DL-end: stored_by_component
#line 124
kernel void stored_by_component(global const row *f, global uint2 *to, int n DL_PARAMS(f))
{
    const int i = get_global_id(0);

    if (i < n) {
        global uint2 *at = to + i;
        uint r = ((*dl_of_row_a(f, i DL_ARGS(f))) ^ (*dl_of_row_b(f, i DL_ARGS(f)))).x ^ (*dl_of_row_c(f, i DL_ARGS(f))).x ^ (*dl_of_row_w(f, i, (0) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (1) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (2) DL_ARGS(f)));
        at->x = r;
        at->y = r ^ (*dl_of_row_w(f, i, (3) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (4) DL_ARGS(f))) ^ (*dl_of_row_w(f, i, (5) DL_ARGS(f)));
    }
}
