/* SPDX-License-Identifier: MIT */
/* Finite differences in the time domain, TM waves in the plane. All fields and
 * coefficients are in one array, one after the other: f[k * n + i] is field k in cell i.
 * NX and NY come from the host. */
enum { EZ, HX, HY, CA, CB, DA, DB, PEAK, FIELDS };

#define AT(k, i) f[(k)*n + (i)]

__kernel void materials(__global float *f, const int n, const float courant)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int i = y * NX + x;

    /* A lens of glass, and walls that swallow more and more. */
    const float dx = x - 0.6f * NX, dy = y - 0.5f * NY;
    const float permittivity = dx * dx + dy * dy < 0.03f * NX * NX ? 2.25f : 1.0f;
    const int edge = min(min(x, NX - 1 - x), min(y, NY - 1 - y));
    const float depth = edge < 8 ? (8 - edge) / 8.0f : 0.0f;
    const float loss = 0.3f * depth * depth * depth;

    AT(EZ, i) = 0.0f;
    AT(HX, i) = 0.0f;
    AT(HY, i) = 0.0f;
    AT(CA, i) = (1.0f - loss) / (1.0f + loss);
    AT(CB, i) = courant / permittivity / (1.0f + loss);
    AT(DA, i) = (1.0f - loss) / (1.0f + loss);
    AT(DB, i) = courant / (1.0f + loss);
    AT(PEAK, i) = 0.0f;
}

__kernel void update_h(__global float *f, const int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int i = y * NX + x;
    __global const float *ez = f + EZ * n;

    if (y < NY - 1)
        f[HX * n + i] =
            f[DA * n + i] * f[HX * n + i] - f[DB * n + i] * (ez[i + NX] - ez[i]);
    if (x < NX - 1)
        f[HY * n + i] =
            f[DA * n + i] * f[HY * n + i] + f[DB * n + i] * (ez[i + 1] - ez[i]);
}

__kernel void update_e(__global float *f, const int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x == NX - 1 || y == NY - 1)
        return; /* a perfect conductor around everything */
    const int i = y * NX + x;
    const float curl =
        f[HY * n + i] - f[HY * n + i - 1] - f[HX * n + i] + f[HX * n + i - NX];
    const float ez = AT(CA, i) * AT(EZ, i) + AT(CB, i) * curl;
    AT(EZ, i) = ez;
    if (fabs(ez) > AT(PEAK, i))
        AT(PEAK, i) = fabs(ez);
}

/* A line of current at x = NX / 5. */
__kernel void source(__global float *f, const int n, const float current)
{
    const int y = get_global_id(0) + NY / 4;
    f[EZ * n + y * NX + NX / 5] += current;
}

/* What the fields are along a row, field after field, and the energy of its cells. */
__kernel void probe(__global const float *f, const int n, const int row,
                    __global float *trace)
{
    const int x = get_global_id(0);
    __global const float *p = f + row * NX + x;
    float energy = 0.0f;
    for (int k = EZ; k <= HY; k++, p += n) {
        trace[k * NX + x] = *p;
        energy += *p * *p;
    }
    trace[3 * NX + x] = 0.5f * energy;
}
