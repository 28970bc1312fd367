// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel /* a */ void go(__global pair *f /* the "f" */) // { (
{
    int i = get_global_id(0);

    f /* base */ [ /* index */ i ] /* dot */ . x = 1; // f[i].x, why??!!
    f[
        i
    ].y
        += f[i]. /* here: f[i].y */ x;
}
