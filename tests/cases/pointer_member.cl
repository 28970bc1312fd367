// run: moves_none structs
// Structs that hold a pointer: it can't be followed, where it is written or goes with its struct.
typedef struct {
    __global float *p;
    int x;
} box;
typedef struct {
    box boxes[2];
    int y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void writes(__global box *f, __global float *out)
{
    f[get_global_id(0)].p = out + f[get_global_id(0)].x;
}

//DL: AoS: f[global_size(0)]
__kernel void copies(__global box *f)
{
    f[get_global_id(0)] = f[0];
}

//DL: AoS: f[global_size(0)]
__kernel void copies_one_in_it(__global pair *f)
{
    pair copy = f[get_global_id(0)];

    f[get_global_id(0)].y = copy.boxes[1].x;
}

//DL: AoS: f[global_size(0)]
__kernel void copies_a_part(__global pair *f, int n)
{
    __global box *b = &f[get_global_id(0)].boxes[n];

    *b = f[0].boxes[0];
}

//DL: AoS: f[global_size(0)]
__kernel void moves_none(__global box *f)
{
    f[get_global_id(0)].x++;
}
