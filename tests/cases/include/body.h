    f[get_global_id(0)].x = 1;
