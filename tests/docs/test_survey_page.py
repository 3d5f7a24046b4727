"""Runs the example of the page on surveys."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.markdown import snippets
from support.running import ENVIRONMENT, REPOSITORY

PAGE = REPOSITORY / "docs" / "how-to" / "survey.md"


@pytest.mark.slow
def test_the_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    """The commands run as they stand, and print the lines that the page shows, in this order."""
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parents[1])
    (tmp_path / "config").symlink_to(REPOSITORY / "config")
    [example] = [snippet for snippet in snippets(PAGE) if snippet.kind == "sh"]
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example.text],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = (re.escape(line).replace("…", ".*") for line in example.output.splitlines())
    assert re.search("\n".join(shown), done.stdout, re.DOTALL), done.stdout
    assert {"survey.html", "survey.tsv"} <= {path.name for path in tmp_path.iterdir()}
