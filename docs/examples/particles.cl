/* SPDX-License-Identifier: MIT */
typedef struct {
    float position[3], velocity[3], colour[4], age, mass, charge, radius, spin, phase;
} particle;

__kernel void move(__global particle *particles, int count, float seconds)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    for (int axis = 0; axis < 3; axis++)
        particles[i].position[axis] =
            fma(particles[i].velocity[axis], seconds, particles[i].position[axis]);
    particles[i].age += seconds;
}
