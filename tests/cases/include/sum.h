#ifdef AT
    sum += AT(x) ^ __LINE__;
#else
    sum += f[i].x + 2 * f[i].y; /* this file's */
#endif
    sum &= 0xffff;
