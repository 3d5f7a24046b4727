"""Frequencies and hits are those of CWB, of a corpus that both hold."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from support import made_verticals
from support.made_verticals import Made

from corpusprep.inspection.concordance import HitCounts, search
from corpusprep.inspection.word_lists import Corpus

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("cwb-encode", "cwb-makeall", "cwb-scan-corpus", "cqp"))), reason="needs CWB"
)

WORDS = ["the", "The", "tea", "of", "&amp;", "&lt;p&gt;", "É", "日本", "w1", "w2", "."]
TAGS = ["N", "V", "X"]
QUERIES = [
    '"the"%c "tea" within p',
    '"the"%c []{0,2} "tea" within p',
    '[word="w.*" & tag!="N"] [tag="N"] within p',
    '[word="w1" | tag="V"] [word!="the"] "of" within p',
    '<p> "the"',
    '"tea" </p>',
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two batches, and the same in CWB: `registry` beside it."""
    chance = random.Random(1)
    folder = tmp_path_factory.mktemp("both")

    def made(number: int) -> Made:
        blocks = [
            [f"{chance.choice(WORDS)}\t{chance.choice(TAGS)}" for _ in range(chance.randint(1, 30))] for _ in range(3)
        ]
        return Made({"id": str(number), "host": f"h{number % 3}"}, blocks)

    documents = [made(number) for number in range(40)]
    corpus = made_verticals.write(folder / "corpus", [documents[:25], documents[25:]])
    text = "".join(document.lines() for document in documents)
    for name in ("data", "registry"):
        (folder / name).mkdir()
    options = "-c utf8 -xsB -P tag -S doc:0+id+host -S p:0+heading+block".split()
    encode = ["cwb-encode", "-d", folder / "data", "-R", folder / "registry" / "both", *options]
    subprocess.run(encode, input=text.encode(), check=True, capture_output=True)
    subprocess.run(["cwb-makeall", "-r", folder / "registry", "BOTH"], check=True, capture_output=True)
    return corpus


def scanned(folder: Path, *keys: str) -> dict[str, int]:
    """What cwb-scan-corpus counts."""
    command = ["cwb-scan-corpus", "-q", "-r", folder.parent / "registry", "BOTH", *keys]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in printed.splitlines())
    return {" ".join(items): int(frequency) for frequency, *items in rows}


@pytest.mark.parametrize("attribute", ["word", "tag"])
def test_frequencies(folder: Path, attribute: str) -> None:
    """Of words, and of another attribute."""
    rows, _ = Corpus(folder, ("word", "tag")).words(attribute).first(sort="item")
    assert dict(rows.select("item", "frequency").iter_rows()) == scanned(folder, f"{attribute}+0")


@pytest.mark.parametrize("query", QUERIES)
def test_hits(folder: Path, query: str) -> None:
    """As many as CQP finds; its strategy `traditional` also leaves hits that lie in others."""
    commands = f"set MatchingStrategy traditional; BOTH; A = {query}; size A;"
    printed = subprocess.run(
        ["cqp", "-c", "-r", folder.parent / "registry"], input=commands, check=True, capture_output=True, text=True
    ).stdout
    counts = HitCounts()
    list(search(folder, query.replace("within p", "within <p/>"), columns=("word", "tag"), counts=counts))
    assert counts.hits == int(printed.split()[-1]) > 0
