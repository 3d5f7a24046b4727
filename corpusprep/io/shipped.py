"""Files that come with the package and are no modules: the workflow, languages, models, the sample, environments."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def root() -> Path:
    """Returns the folder that they are in: the top of a clone, or a folder of the installed package with that tree."""
    shipped = _PACKAGE / "shipped"  # CMakeLists.txt installs it
    return shipped if shipped.is_dir() else _PACKAGE.parent


def snakefile() -> Path:
    """Returns the workflow. The profile `default` beside it is used for runs that name no other."""
    return root() / "workflow" / "Snakefile"


def profile(name: str) -> Path | None:
    """Returns the folder of the profile of that name, such as `slurm`; None if there is none."""
    folder = root() / "workflow" / "profiles" / name
    return folder if name and (folder / "config.yaml").is_file() else None
