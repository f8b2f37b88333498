"""The effects of opcodes on the registers and the memory of waves."""
