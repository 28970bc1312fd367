// run: go structs structs words:1 n
// run: other structs
// A pointer into a buffer that is kept in a struct whose member nothing reads, as generators of random
// numbers keep their streams: it becomes null.
typedef struct {
    int g[3];
} state;
typedef struct {
    state current, initial;
} host;
struct stream {
    state current;
    __global const state *initial;
    __global const void *from;
};

int fetch(int count, struct stream *to, __global const host *from)
{
    if (!to || !from)
        return 1;
    for (int i = 0; i < count; i++) {
        to[i].current = from[i].current;
        to[i].initial = &from[i].initial;
        to[i].from = from, (to[i].from) = (&from[0]);
    }
    return 0;
}

int next(state *s)
{
    s->g[0] = s->g[1] * 3 + s->g[2];
    return s->g[0];
}

//DL: AoS: f[n] AOS2ASTA_host, g[n] AOS2ASTA_host
//DL-table: 2
/* prelude */
static state dl_host_current_load(__global const host *dl_f, dl_index dl_i DL_FORMALS)
{
    state dl_s;
    dl_s.g[0] = *DL_AT(int, dl_f, dl_i, 24, 0, 4);
    dl_s.g[1] = *DL_AT(int, dl_f, dl_i, 24, 4, 4);
    dl_s.g[2] = *DL_AT(int, dl_f, dl_i, 24, 8, 4);
    return dl_s;
}
#line 17
static DL_INLINE int dl_fetch(int count, struct stream *to, __global const host *from, dl_index dl_at_from DL_PARAMS(from))
{
    if (!to || !(from && dl_at_from != DL_NULL))
        return 1;
    for (int i = 0; i < count; i++) {
        to[i].current = dl_host_current_load(from, dl_at_from + i DL_ARGS(from));
        to[i].initial = 0;
        to[i].from = 0, (to[i].from) = 0;
    }
    return 0;
}
static state dl_host_current_store(__global const host *dl_f, dl_index dl_i DL_FORMALS, state dl_s)
{
    *DL_AT(int, dl_f, dl_i, 24, 0, 4) = dl_s.g[0];
    *DL_AT(int, dl_f, dl_i, 24, 4, 4) = dl_s.g[1];
    *DL_AT(int, dl_f, dl_i, 24, 8, 4) = dl_s.g[2];
    return dl_s;
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 35 type host
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+12 read conditional
//DL-access: linear 1 0+12 write
//DL-buffer: g arg 1 read aos bytes 24 line 35 type host
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+12 read conditional
//DL-end: go
#line 36
__kernel void go(__global host *f, __global const host *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    struct stream s[2], copy;

    dl_fetch(1, s, g, (i) DL_ARGS(g));
    dl_fetch(1, s + 1, f, (i) DL_ARGS(f));
    copy = s[i & 1];
    out[i] = next(&copy.current) + next(&s[0].current);
    dl_host_current_store(f, i DL_ARGS(f), copy.current);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_host
static state dl_host_initial_store(__global const host *dl_f, dl_index dl_i DL_FORMALS, state dl_s)
{
    *DL_AT(int, dl_f, dl_i, 24, 12, 4) = dl_s.g[0];
    *DL_AT(int, dl_f, dl_i, 24, 16, 4) = dl_s.g[1];
    *DL_AT(int, dl_f, dl_i, 24, 20, 4) = dl_s.g[2];
    return dl_s;
}
//DL-kernel: other 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 48 type host
//DL-leaves: 0+4*6
//DL-structs: global_size(0)
//DL-access: linear 1 0+12 read
//DL-access: linear 1 12+12 write
//DL-end: other
#line 49
__kernel void other(__global host *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    struct stream s;

    s.current = dl_host_current_load(f, i DL_ARGS(f));
    s.initial = 0;
    dl_host_initial_store(f, i DL_ARGS(f), s.current);
}
