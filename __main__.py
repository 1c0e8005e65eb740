"""`python -m potshare` is the `potshare` command."""

import sys


def main() -> None:
    """The command, which may be interrupted while it is still being imported."""
    try:
        from potshare.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
