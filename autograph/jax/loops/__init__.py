"""Loops: they become `lax.scan` and `lax.while_loop`; carried values keep their forms."""
