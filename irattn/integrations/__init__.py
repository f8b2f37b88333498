"""irattn inside other libraries: one file each, imported only by who uses it; each is an extra."""
