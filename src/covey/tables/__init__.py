"""Two tables that belong together, such as persons and their visits, released as one."""
