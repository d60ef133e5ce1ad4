"""What may be in a variable while a function is traced, and what two paths can agree on."""
