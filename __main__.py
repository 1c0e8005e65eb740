"""`python -m potshare` is the `potshare` command."""

from potshare.cli import main

main()
