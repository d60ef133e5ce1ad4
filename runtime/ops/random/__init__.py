"""Random numbers: seeds, generators of bits, and distributions."""
