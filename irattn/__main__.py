"""`irattn`, and `python -m irattn`."""

import sys


def run() -> None:
    """The command line; Ctrl-C ends it in good order while it is being imported, too."""
    try:
        from irattn.cli import main

        main(prog_name="irattn")
    except KeyboardInterrupt:
        print("\nAborted!", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
