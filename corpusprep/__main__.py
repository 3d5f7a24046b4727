"""`python -m corpusprep`."""

from corpusprep.commands.application import main

main()
