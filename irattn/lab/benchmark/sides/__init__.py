"""What is timed, each in a process of its own: irattn and its peers, one file each."""
