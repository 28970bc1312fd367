// run: go structs
#define AT(i) f[(i)]
#define GET(i, field) (AT(i).field)
#define SWAP(a, b) { float t_ = (a); (a) = (b); (b) = t_; }
#define ID get_global_id(0)
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    SWAP(GET(ID, x), GET(ID, y));
    GET(ID, x) += 1.0f; /* kept */ AT(ID).y -= GET(ID, x);
}
