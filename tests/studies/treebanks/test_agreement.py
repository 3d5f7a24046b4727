"""Agreement with treebanks: what their tokens are, and what counts."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from corpusprep.errors import StageFileError
from studies.commands.treebanks import command
from studies.treebanks.agreement import measure
from studies.treebanks.reading import read

TREEBANK = """# newdoc id = a
# text = Don't   use Coca-Cola in the U.S.A. !!
1-2	Don't	_
1	Do	_
2	n't	_
3	use	_
4	Coca	_
5	-	_
6	Cola	_
7-8	in the	_
7	in	_
8	the	_
8.1	empty	_
9	U.S.A.	_
10	!	_
11	!	_

# text = Dr. Who came.
1	Dr.	_
2	Who	_
3	came	_
4	.	_

# newpar
# text = A heading
1	A heading	_

"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    """A treebank of three sentences, of which the first two are a paragraph."""
    path = tmp_path / "en.conllu"
    lines = [f"{line}\t{'_' * 7}" if "\t" in line else line for line in TREEBANK.split("\n")]
    path.write_text("\n".join(line.replace("_" * 7, "\t".join("_" * 7)) for line in lines), encoding="utf-8")
    return path


def test_tokens_are_parts_of_the_text(treebank: Path) -> None:
    """Words with an apostrophe are divided, other words of several are not; tokens may have spaces."""
    found = list(read(treebank))
    tokens = [[sentence.text[slice(*span)] for span in sentence.tokens] for sentence in found]
    assert tokens == [
        ["Do", "n't", "use", "Coca", "-", "Cola", "in the", "U.S.A.", "!", "!"],
        ["Dr.", "Who", "came", "."],
        ["A heading"],
    ]
    assert [sentence.begins_paragraph for sentence in found] == [True, False, True]


def test_conventions_are_taken_off(treebank: Path) -> None:
    """Hyphens and runs of marks are; a token with a space is not."""
    found = measure("en", treebank)
    assert (found.tokens.expected, found.tokens.found, found.tokens.both) == (15, 14, 8)
    assert (found.alike.expected, found.alike.found, found.alike.both) == (15, 17, 13)
    assert (found.sentences.expected, found.sentences.found, found.sentences.both) == (3, 3, 3)


def test_the_table(treebank: Path, tmp_path: Path) -> None:
    """Is printed and written; a mistake is one line."""
    done = CliRunner().invoke(command, [f"en={treebank}", "--output", str(tmp_path / "t.tsv")])
    assert done.exit_code == 0
    assert done.output.startswith("language\ttreebank\ttokens\t")
    assert "\nen\ten\t15\t55.17\t81.25\t3\t100.00\t" in done.output
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8") == done.output
    wrong = CliRunner().invoke(command, ["en", "--output", str(tmp_path / "t.tsv")])
    assert "'en' is not CODE=FILE" in wrong.output


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4\tcame", "4 came", "line 2[0-9]: 9 columns instead of 10; give CoNLL-U"),
        ("Dr. Who", "Mr. Who", "the tokens before it are not the tokens of `# text`"),
    ],
)
def test_what_is_no_treebank_is_named(treebank: Path, old: str, new: str, message: str) -> None:
    """With the line; a file that is not there, too."""
    text = treebank.read_text(encoding="utf-8")
    text = text.replace("3\tcame", "4\tcame").replace(old, new) if old in text or "came" in old else text
    treebank.write_text(text, encoding="utf-8")
    with pytest.raises(StageFileError, match=message):
        list(read(treebank))
    with pytest.raises(StageFileError, match="No such file"):
        list(read(treebank.with_name("none")))
