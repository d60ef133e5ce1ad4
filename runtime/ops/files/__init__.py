"""Contents of files: reading and writing, images, sounds."""
