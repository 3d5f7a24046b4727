"""`corpusprep recut`: change the thresholds of a built corpus."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from corpusprep.cleaners.registry import algorithm, check_preset
from corpusprep.commands import options
from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError
from corpusprep.extraction.recut import made_by, recut, words_kept


def _number(_context: click.Context, _option: click.Parameter, value: str | None) -> float | str | None:
    """Returns a number as such: only some learned algorithms have thresholds with names."""
    try:
        return value if value is None else float(value)
    except ValueError:
        return value


def _filter(corpus: Path, wanted: dict[str, Any], output: Path | None) -> None:
    """Prints what rules on quality remove from a corpus, and writes it with them if there is an output."""
    from corpusprep.quality import effects, recut, rules

    applied, left_out = rules.applicable(rules.of_section(wanted), effects.lacking_in(corpus))
    for reason, texts in left_out.items():
        click.echo(f"corpusprep: note: filter: {reason}: not applied: {', '.join(texts)}", err=True)
    found = effects.effects(corpus, applied)
    if output is not None:
        recut.refilter(corpus, output, applied, rules.section_text(wanted))
    rows: list[tuple[str, ...]] = [("rule", "documents", "words", "only rule of")]
    rows += [
        (rule, *("" if number is None else f"{number:,}" for number in numbers))
        for rule, numbers in found.of_rules.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for rule, *numbers in rows:
        cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
        click.echo("  ".join([rule.ljust(widths[0]), *cells]))
    (documents, words), (all_documents, all_words) = found.kept, found.before
    click.echo(
        f"{output or corpus}: {documents:,} of {all_documents:,} documents stay, {words:,} of {all_words:,} words"
    )


def _refuse_others(context: click.Context) -> None:
    """Raises a ConfigError if the command line has an option beside --filter that would do nothing."""
    for parameter in context.command.params:
        chosen = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if chosen and parameter.name not in {"corpus", "wanted", "output"}:
            option = next(name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--"))
            raise ConfigError(f"--filter changes no other threshold: leave out {option}, or --filter")


@click.command("recut")
@options.corpus
@options.thresholds
@click.option(
    "--algorithm",
    "name",
    help="The algorithm that made the corpus. Not needed for jusText and content, which the stored scores show.",
)
@click.option(
    "--threshold",
    callback=_number,
    help="For a corpus made by a learned algorithm: a score, 0 to 1; for content and ncleaner also precision, balanced"
    " or recall.",
)
@click.option("--keep-comments/--drop-comments", default=None, help="For a corpus made by content: readers' comments.")
@click.option("--keep-title/--drop-title", default=None, help="For a corpus made by content: the page's title.")
@click.option("--keep-tables/--drop-tables", default=None, help="For a corpus made by content: tables of data.")
@click.option("--keep-code/--drop-code", default=None, help="For a corpus made by content: code.")
@click.option(
    "--filter",
    "wanted",
    callback=options.mapping,
    metavar="JSON",
    help="Other rules on quality: the section `filter` of a config as a JSON object, as"
    ' {"preset": ["gopher"], "least": {"words": 100}}. Without --output, say what they would remove.',
)
@click.option("--output", type=NewPath(in_results=True), help="Folder of the corpus to write.")
def command(
    corpus: Path, output: Path | None, name: str | None, preset: str, wanted: dict[str, Any], **thresholds: Any
) -> None:
    """Change the thresholds of a built corpus, of jusText or of a learned algorithm.

    The stage files up to `boilerplate` are written to
    the output folder, such as results/english-d, from the scores stored in CORPUS. Then add the new corpus to the
    config, with the same archives, language and sections `encoding`, `rights` and `templates`, and the new
    thresholds, and run the workflow. It does the other steps. Templates that were removed stay removed at any
    threshold. Into another results folder, the language models are copied, too.

    With --filter, the stored signals of quality decide: the files up to `quality` go to the output folder, in seconds,
    and the workflow makes the corpus and its statistics from them. Without --output, the rules are only tried.
    """
    if wanted:
        _refuse_others(click.get_current_context())
        _filter(corpus, wanted, output)
        return
    if output is None:
        raise ConfigError("--output is missing: the folder of the corpus to write; or give --filter")
    name = name or made_by(corpus)
    if click.get_current_context().get_parameter_source("preset") is ParameterSource.COMMANDLINE:
        check_preset(name, preset)
    classifier = algorithm(name, preset, **thresholds)
    recut(corpus, output, classifier)
    kept, total = words_kept(output, classifier)
    click.echo(f"{output}: {kept} of {total} words in good blocks")
