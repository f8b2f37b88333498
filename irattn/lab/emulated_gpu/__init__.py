"""AMD GPUs that are not there: devices that execute their machine code."""
