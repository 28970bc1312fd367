// run: go structs words:1
/* The address of a member of a packed struct goes on: in tiles it is aligned where its offset is. */
typedef struct __attribute__((packed)) {
    int m[4];
    int turns;
    char kind;
} actor;

int thrice(__global const int *q)
{
    return *q * 3;
}

void add(__global int *q, int by)
{
    *q += by;
}

//DL: AoS: a[global_size(0)] AOS2ASTA_actor
//DL-table: 2
/* prelude */
typedef DL_PACKED(int) dl_actor_turns_view;
static __global dl_actor_turns_view *dl_actor_turns(__global const actor *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_actor_turns_view, dl_f, dl_i, 21, 16, 4);
}
typedef DL_PACKED(int) dl_actor_m_view;
static __global dl_actor_m_view *dl_actor_m(__global const actor *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_actor_m_view, dl_f, dl_i, 21, 0 + dl_k0 * 4, 4);
}
static __global char *dl_actor_kind(__global const actor *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 21, 20, 1);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: a arg 0 write aos bytes 21 line 19 type actor
//DL-leaves: 0+4*5 20+1
//DL-structs: global_size(0)
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+16 read write walks
//DL-access: linear 1 20+1 read
//DL-end: go
#line 20
__kernel void go(__global actor *a, __global int *out DL_PARAMS(a))
{
    int i = get_global_id(0);
    dl_index p = (i);
    __global const int *q = (&dl_actor_turns(a, p DL_ARGS(a))->dl_v);

    out[i] = thrice(q) + (dl_actor_m(a, p, (0) DL_ARGS(a))->dl_v);
    add((&dl_actor_m(a, i, (i & 3) DL_ARGS(a))->dl_v), (*dl_actor_kind(a, p DL_ARGS(a))));
    add((&dl_actor_turns(a, p DL_ARGS(a))->dl_v), 5);
    out[i] ^= thrice(q);
}
