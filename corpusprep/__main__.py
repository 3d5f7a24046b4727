"""`corpusprep`, and `python -m corpusprep`."""

import sys

from corpusprep import handover


def main() -> None:
    """Runs the command line, in a worker if one is free."""
    code = handover.hand_over(sys.argv[1:])
    if code is None:
        from corpusprep.commands import application

        application.main()
    else:
        sys.exit(code)


if __name__ == "__main__":
    main()
