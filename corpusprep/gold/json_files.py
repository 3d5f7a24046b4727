"""JSON files of what an evaluation measured."""

import json
from pathlib import Path
from typing import Any

from corpusprep.errors import StageFileError
from corpusprep.io.files import replacing


def write(path: Path, value: object) -> None:
    """Writes a value of plain types."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> Any:
    """Reads what `write` wrote.

    Raises:
        StageFileError: the file is missing or is not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StageFileError(
            f"{path}: no such file; run `corpusprep studies evaluation measure` and"
            " `corpusprep studies evaluation canola` first"
        ) from None
    except ValueError:
        raise StageFileError(f"{path}: not a JSON file; run the command that writes it again") from None
