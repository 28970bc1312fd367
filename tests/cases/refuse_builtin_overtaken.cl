typedef struct {
    int a;
    float b;
} cell;

int helper(__global cell *c) { return max(c->a, 3); }
int __attribute__((overloadable)) max(int a, float b) { return 1; }

//DL: AoS: f[]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].a = helper(f);
}
