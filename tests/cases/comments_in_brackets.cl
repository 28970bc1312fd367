// run: go structs
typedef struct {
    int x, y, k[2];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i // the cell
    ].x += f[ // another
        i // the same
        /* and */ // more
    ].y;
    f[i].k[1 // the second
    ] = f[i \
    ].x;
}
