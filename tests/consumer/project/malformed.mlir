// No kernel.
tile.kernel @malformed(
