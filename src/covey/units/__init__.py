"""Units whose rows are linked, such as households and panels: grouped as wholes."""
