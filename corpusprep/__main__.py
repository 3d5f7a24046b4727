"""`python -m corpusprep`."""

from corpusprep.cli import main

main()
