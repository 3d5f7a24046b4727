"""Folders of small gold pages, and the command that trains on them."""

import csv
from pathlib import Path

from click.testing import CliRunner, Result

from corpusprep.cleaners.model_files import training
from corpusprep.commands.application import application
from corpusprep.gold import sheets

TEXT = "The ferry number {0} is back on the river, and it was full of people who had waited since {0} in the morning."
PAGE = (
    "<title>Ferry {0}</title><ul><li><a href='/'>Home</a><li><a href='/s'>SITE MAP {0}</a></ul>"
    "<p>{1}</p><p>Then: {1}</p><p>Copyright {0} by us</p>"
)


def page(number: int) -> str:
    """A page: a menu, a story of two paragraphs, a footer."""
    return PAGE.format(number, TEXT.format(number))


def gold_folder(path: Path, pages: int) -> Path:
    """Writes a folder of gold pages, each of a host of its own."""
    for part in ("html", "gold"):
        (path / part).mkdir(parents=True)
    for number in range(pages):
        text = TEXT.format(number)
        (path / "html" / f"{number:03}.html").write_text(page(number))
        (path / "gold" / f"{number:03}.txt").write_text(f"URL: http://host{number}.example/\n{text}\nThen: {text}\n")
    return path


def sheet_folder(path: Path, pages: int) -> Path:
    """Writes the same pages with a sheet in place of gold texts; on every other page, nobody judged the first block."""
    (path / "html").mkdir(parents=True)
    for number in range(pages):
        (path / "html" / f"host{number}_a.html").write_text(page(number))
    sheets.write(path, path / "sheet.tsv")
    with (path / "sheet.tsv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file, delimiter="\t")
    for row in rows:
        if row[1] != "0" or int(row[0].removeprefix("host").removesuffix("_a")) % 2:
            row[2] = "good" if "The ferry" in row[3] else "bad"
    with (path / "sheet.tsv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([head, *rows])
    return path


def train(algorithm: str, *arguments: object) -> Result:
    """Runs the command that trains the models of an algorithm."""
    words = [*training(algorithm).split()[1:], *map(str, arguments)]
    return CliRunner().invoke(application, words)
