"""What each opcode does to the registers and the memory of waves."""
