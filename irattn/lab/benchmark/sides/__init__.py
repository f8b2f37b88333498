"""The libraries that are timed, each in a process of its own: irattn and its peers."""
