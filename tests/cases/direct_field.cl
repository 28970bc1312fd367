// run: scale structs
typedef struct foo {
    float bar;
    int baz;
} foo;
//DL: AoS: f[global_size(0)]
__kernel void scale(__global foo *f)
{
    f[get_global_id(0)].bar *= 2.0f;
}
