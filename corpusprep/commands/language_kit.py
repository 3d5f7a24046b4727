"""`corpusprep language`: make, list, show and calibrate languages."""

import re
from collections.abc import Sequence
from pathlib import Path

import click

from corpusprep import languages
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import LanguageError
from corpusprep.languages import kept

_PATH = click.Path(path_type=Path)
#: Stop words that `show` prints.
_SHOWN = 20
#: Files of a sample that the model's origin names.
_NAMED = 5
#: A code, as the config has it.
_CODE = re.compile("[A-Za-z0-9][A-Za-z0-9-]*")


@click.command("make")
@click.argument("code")
@click.option("--text", "texts", multiple=True, type=_PATH, help="Sample of the language. Repeatable.")
@click.option("--html", "pages", multiple=True, type=_PATH, help="A Web page in the language. Repeatable.")
@click.option(
    "--sample-encoding",
    help="Encoding of the samples. Default: utf-8 for text; for a page what it declares, or utf-8.",
)
@click.option("--name", help="Name of the language. Default: the built-in one, or the code.")
@click.option("--encoding", "encodings", multiple=True, help="In use on its Web beside utf-8. Repeatable.")
@click.option("--rival", "rivals", multiple=True, help="Code of a close built-in language. Repeatable.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Lowest score of a text in the language.")
@click.option(
    "--coverage",
    type=click.FloatRange(0, 1),
    default=languages.STOP_LIST_COVERAGE,
    show_default=True,
    help="Share of the running words that the stop list covers.",
)
@click.option("--output", required=True, type=NewPath(), help="Where the model goes (a .model file).")
def make(
    code: str,
    texts: tuple[Path, ...],
    pages: tuple[Path, ...],
    sample_encoding: str | None,
    name: str | None,
    encodings: tuple[str, ...],
    rivals: tuple[str, ...],
    threshold: float | None,
    coverage: float,
    output: Path,
) -> None:
    """Make the model of the language CODE: stop list, trigrams, encodings, threshold and rivals.

    A built-in language needs no sample: its words and their frequencies come with `wordfreq`. What is not
    given is found on the sample, which should be in one language; of pages, the running text is taken.
    Thai, Lao, Khmer and Burmese are split into words by ICU (the extra `icu`).
    """
    if not _CODE.fullmatch(code):
        raise LanguageError(f"the code {code!r} is not allowed: a code has letters of ASCII, digits and hyphens only")
    if output.suffix != ".model":
        raise LanguageError(f"--output {output}: the name of a model ends in .model, such as {code}.model")
    from corpusprep.pages.language_samples import read_page, read_text  # a tenth of a second, only for samples

    sample = [read_text(path, sample_encoding) for path in texts]
    sample += [read_page(path, sample_encoding) for path in pages]
    kinds = (("text", texts), ("html", pages))
    if sample or name or encodings or rivals or threshold is not None or coverage != languages.STOP_LIST_COVERAGE:
        model = languages.make(
            code,
            sample or None,
            name=name,
            origin="; ".join(f"{kind}: {_names(paths)}" for kind, paths in kinds if paths),
            encodings=encodings or None,
            rivals=rivals or None,
            threshold=threshold,
            coverage=coverage,
        )
    else:
        model = kept.keep(languages.built_in(code))
    languages.save(model, output)
    if model.characters_per_word and all(len(word) == 1 for word in model.stop_list):
        click.echo(
            f"{output}: the stop list has characters, not words, because {model.name} is written without spaces; for "
            "words, install corpusprep[icu] and make the model again",
            err=True,
        )


def _names(paths: Sequence[Path]) -> str:
    names = [path.name for path in paths]
    return ", ".join(names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"])


@click.command("list")
def list_known() -> None:
    """List the built-in languages: code, name, other codes for it, encodings beside utf-8.

    The words of those marked as weak were counted in little text: their stop words and thresholds are uncertain.
    Codes are from ISO 639-1, or from 639-3 where there is none. All the codes of a line mean the same language:
    `no` is Bokmål, and `hr`, `sr`, `bs` and `sh` are one language, in Latin and Cyrillic letters.
    """
    for code in languages.known():
        described = languages.describe_built_in(code)
        aliases = " ".join(described.aliases)
        name = described.name + (" (weak)" if languages.weakness(code) else "")
        click.echo(f"{code:<4} {name:<16} {aliases:<30} {' '.join(described.encodings)}".rstrip())


@click.command("show")
@click.argument("language")
def show(language: str) -> None:
    """Show a language, given by its code or as a .model file: what it was made from, and its parts."""
    model = languages.get(language)
    trigrams = ", ".join(f"{len(spelling.keys):,}" for spelling in model.trigrams)
    lines = {
        "language": f"{model.code} ({model.name})",
        "origin": model.origin,
        **({"weak": note} if (note := languages.weakness(language)) else {}),
        "version": str(model.version),
        "stop list": f"{len(model.stop_list):,} words: {' '.join(model.stop_list[:_SHOWN])} …",
        "words": f"{model.characters_per_word} characters each, written without spaces"
        if model.characters_per_word
        else "separated by spaces",
        "trigrams": trigrams + (" (in each of its spellings)" if len(model.trigrams) > 1 else ""),
        "threshold": str(model.threshold),
        "rivals": " ".join(model.rivals) or "none",
        "encodings": " ".join(model.encodings.names),
        "byte trigrams": f"{len(model.encodings.keys):,}",
        "abbreviations": f"{len(model.abbreviations):,}",
        "clitics": " ".join(model.clitics) or "none",
    }
    for key, value in lines.items():
        click.echo(f"{key + ':':<15}{value}")


@click.command("calibrate")
@click.option("--data", required=True, type=_PATH, help="Folder of the evaluation data (archives, .tar.xz).")
@click.option("--output", required=True, type=NewPath(), help="Where the table goes: config/languages/calibration.tsv.")
def calibrate(data: Path, output: Path) -> None:
    """Set the thresholds and rivals of the built-in languages on evaluation data (langid-dev)."""
    from corpusprep.io import tsv
    from corpusprep.languages import calibrating as calibration  # the other commands do without

    tsv.write(output, calibration.COLUMNS, calibration.rows(data))
