"""The examples of the how-to pages about looking into a corpus, on the corpus of the tutorial."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.markdown import missing, snippets
from support.running import BIN, ENVIRONMENT, REPOSITORY
from support.served import served

HOW_TO = REPOSITORY / "docs" / "how-to"
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", ["audit", "browse"])
def test_commands_print_what_the_page_shows(page: str, sample: Path, tmp_path: Path) -> None:
    """Every command and script of the page runs, in order, and prints the lines that the page shows after it."""
    results = tmp_path / "results"
    (results / "sample-english").mkdir(parents=True)
    for path in (sample / "english").iterdir():
        if path.name != "audit":
            (results / "sample-english" / path.name).symlink_to(path)
    (results / "languages").symlink_to(sample / "languages")
    environment = ENVIRONMENT | {"PATH": f"{BIN}{os.pathsep}{os.defpath}", "PYTHONUTF8": "1"}
    ran = 0
    for snippet in snippets(HOW_TO / f"{page}.md"):
        if snippet.kind not in ("sh", "python"):
            continue
        command = [sys.executable, "-c"] if snippet.kind == "python" else ["bash", "-euo", "pipefail", "-c"]
        done = subprocess.run(
            [*command, snippet.text], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert missing(snippet.output, done.stdout) == [], done.stdout
        ran += 1
    assert ran == {"audit": 3, "browse": 1}[page]


def test_the_sliders_give_the_settings_of_the_page(sample: Path) -> None:
    """The page of thresholds says what the how-to page says, with its settings and its command."""
    text = (HOW_TO / "browse.md").read_text(encoding="utf-8")
    yaml, command = (
        snippet.text.strip() for snippet in snippets(HOW_TO / "browse.md") if snippet.kind in ("yaml", "sh")
    )
    said = re.search(r"[\d,]+ of [\d,]+ words kept", " ".join(text.split()))
    assert said is not None
    with served(sample) as server:
        page = server.ask("/c/english/thresholds?max_link_density=0.6&length_low=5").text
    assert said[0] in page
    assert yaml in page
    options = " ".join(re.findall(r"--[a-z-]+ [0-9.]+", command))
    shown = re.search(r'<pre id="recut"[^>]*>([^<]*)</pre>', page)
    assert shown is not None
    assert " ".join(re.findall(r"--[a-z-]+ [0-9.]+", shown[1])) == options
