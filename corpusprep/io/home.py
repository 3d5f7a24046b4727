"""Expands `~` in paths that no shell has seen: in a config, in lists, and behind `model=`."""

import os


def at_home(path: str) -> str:
    """Returns a path with `~` or `~user` at its start as that home folder.

    It stays as it is if a file has that name, or if there is no such user.
    """
    # Not by Path.expanduser: it raises RuntimeError for an unknown user.
    return os.path.expanduser(path) if path.startswith("~") and not os.path.lexists(path) else path  # noqa: PTH111
