/* SPDX-License-Identifier: MIT */
/* One season in the life of many agents. An agent is described by 128 bytes; this pass
 * reads twelve of them and writes four, the case in which an array of structures costs
 * most. */

typedef struct {
    float position[3], heading[3], goal[3];
    float traits[8];
    uint memory[8];
    uint group, partner, age;
    uint appetite;
    uint energy[2]; /* of this season and the next, by turns */
    uint food;
} agent;

/* Energy moves to where the food lets it: unsigned numbers, which every device adds
 * alike. */
uint next_energy(uint energy, uint appetite, uint food)
{
    const uint eaten = min(food, appetite);
    const uint spent = energy >> 5;

    return energy - spent + eaten;
}

//DL: AoS: agents[count]
__kernel void season(__global agent *agents, int count, int number)
{
    const int i = get_global_id(0);

    if (i < count)
        agents[i].energy[(number + 1) & 1] =
            next_energy(agents[i].energy[number & 1], agents[i].appetite,
                        agents[i].food * (number % 7));
}
