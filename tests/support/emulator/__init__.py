"""What tests of the emulator share."""
