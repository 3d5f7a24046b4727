"""Keeps Snakemake's remark on the default profile off the screen: it says nothing to users of a workflow.

Snakemake prints the line when it reads its command line: after it has loaded its plugins, but before any logger exists.
There is no setting for it. So the function that prints it is replaced, in the module that does, for this line only.
"""

import sys
from typing import Any

END = " for setting default command line arguments."


def hide_profile_line() -> None:
    """Keeps the line from being printed; everything else that Snakemake's command line prints stays."""
    module = sys.modules.get("snakemake.cli")
    if module is None:  # Snakemake is used as a library, which prints no such line
        return

    def print_others(*values: object, **options: Any) -> None:
        if not str(values[0] if values else "").endswith(END):
            print(*values, **options)

    vars(module)["print"] = print_others
