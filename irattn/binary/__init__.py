"""Read what compilers made: their files, AMD machine code, launches, and kernels without IREE."""
