"""Measures each built-in language on text that neither its word list nor its threshold was made from.

The texts have at least 200 characters: about three sentences. They are joined from the half REPORTING of the sentences
of the Wortschatz Leipzig in `langid-dev`; of a language without sentences, from that half of the Universal Declaration
of Human Rights, or from the whole, if its word list has nothing of it. The table has, in per cent:

- `f1`: of identification among all built-in languages, with precision as if each had the same number of texts;
- `stop_words`: the share of the running words that are stop words (57.56 in the text that the list was made from), of
  languages with spaces between words;
- `encodings`: the share of right answers on pages with one text each, in UTF-8 and in each encoding of the language's
  Web that has all its characters. Pages in ASCII alone are not counted, nor texts that were once decoded wrongly.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from corpusprep import languages
from corpusprep.encoding import charsets, detection
from corpusprep.languages import LanguageModel
from corpusprep.languages.calibrating import (
    DECLARATIONS,
    FOREIGN,
    LENGTH,
    REPORTING,
    declarations,
    joined,
    language_of,
    sentences,
)
from corpusprep.languages.descriptions import weakness
from corpusprep.languages.frequencies import has_letter, words_of
from corpusprep.languages.identification import identifier
from corpusprep.languages.labelled_texts import encoded_twice, unpacked
from studies.languages.identification import MAX_TEXTS, labelled_texts, scored

COLUMNS = ("language", "weak", "text", "texts", "f1", "stop_words", "pages", "encodings", "sha256")
#: Translations of the declaration that no word list has anything of.
UNUSED = {"ina": "ia", "kmr": "ku"}
#: Languages in a row of the printed table.
_PER_ROW = 4
#: Controls and replacement characters: the text was not decoded rightly.
_DAMAGE = re.compile("[\x80-\x9f\ufffd]")
_PAGE = "<!DOCTYPE html><html><head><title></title></head><body><p>{}</p></body></html>"


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yields the rows of the table, in the order of COLUMNS; languages without text have empty cells.

    Raises:
        ArchiveError: the set is missing.
    """
    with unpacked(folder, "langid-dev") as (data, digest):
        of_sentences = labelled_texts(sentences(data, REPORTING), LENGTH)
        lines = declarations(data, REPORTING, DECLARATIONS | FOREIGN) | declarations(data, None, UNUSED)
    texts: dict[str, list[str]] = {}
    for code, text in of_sentences:
        texts.setdefault(code, []).append(text)
    kinds = dict.fromkeys(texts, "sentences")
    for name, ones in lines.items():
        code = UNUSED.get(name, language_of(name))
        if code not in texts:
            kinds[code] = "declaration"
            texts[code] = joined(ones, LENGTH)[:MAX_TEXTS]
    pairs = [(code, text) for code, ones in texts.items() for text in ones]
    chosen = [identifier().ranked(text)[0][0] for _, text in pairs]
    f1 = {code: values[2] for code, _, values in scored(pairs, chosen)}
    for code in languages.known():
        weak = "weak" if weakness(code) else ""
        if code not in texts:
            yield code, weak, *[""] * 6, digest
            continue
        model = languages.get(code)
        covered = "" if model.characters_per_word else f"{100 * stop_word_share(texts[code], model):.1f}"
        right, pages = detected(texts[code], model)
        share = f"{100 * right / pages:.1f}" if pages else ""
        measured = str(len(texts[code])), f"{100 * f1[code]:.1f}", covered, str(pages), share
        yield code, weak, kinds[code], *measured, digest


def stop_word_share(texts: Sequence[str], model: LanguageModel) -> float:
    """Returns the share of the running words of texts that are stop words, 0 to 1."""
    words = [word for text in texts for word in words_of(text) if has_letter(word)]
    stop_words = frozenset(model.stop_list)
    return sum(word in stop_words for word in words) / max(len(words), 1)


def detected(texts: Sequence[str], model: LanguageModel) -> tuple[int, int]:
    """Returns how many pages of one text each are decoded as they were written, and how many pages there are."""
    right = pages = 0
    for text in texts:
        if _DAMAGE.search(text) or encoded_twice(text):
            continue
        page = _PAGE.format(text)
        for encoding in model.encoding_names:
            try:
                data = page.encode(encoding)
            except (UnicodeEncodeError, LookupError):
                continue
            if data.isascii() or charsets.decode(data, encoding)[0] != page:
                continue
            pages += 1
            right += charsets.decode(data, detection.detect(data, model)[0])[0] == page
    return right, pages


def markdown(table: Sequence[Mapping[str, str]]) -> str:
    """Returns the table as Markdown, several languages in a row, those that are weak with an asterisk."""
    cells = [
        [
            f"{row['language']}{'*' if row['weak'] else ''}",
            *(row[name] or "–" for name in ("f1", "stop_words", "encodings")),
        ]
        for row in table
    ]
    height = -(-len(cells) // _PER_ROW)
    lines = ["| | F1 | stop | enc. " * _PER_ROW + "|", "|---|---:|---:|---:" * _PER_ROW + "|"]
    for place in range(height):
        in_row = cells[place::height]
        in_row += [[""] * 4] * (_PER_ROW - len(in_row))
        lines.append("| " + " | ".join(" | ".join(ones) for ones in in_row) + " |")
    return "\n".join(lines)


@click.command()
@click.argument("table", type=click.Path(path_type=Path))
def main(table: Path) -> None:
    """Print the table that `corpusprep studies languages scores` wrote, as Markdown."""
    columns, *lines = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
    click.echo(markdown([dict(zip(columns, line, strict=True)) for line in lines]))


if __name__ == "__main__":
    main()
