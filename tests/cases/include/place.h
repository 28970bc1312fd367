get_global_id(0)
