"""`corpusprep survey`: say what is in a crawl, by a sample of its records."""

from pathlib import Path

import click

from corpusprep.commands.new_path import NewPath
from corpusprep.errors import ConfigError


@click.command("survey")
@click.argument("archives", nargs=-1)
@click.option("--config", type=click.Path(path_type=Path), help="The archives of the corpora in this config.")
@click.option("--only", "names", metavar="NAME", multiple=True, help="Only this corpus of the config. Repeatable.")
@click.option("--sample", default="50 MB", metavar="SIZE", help="How much of the archives is read, as stored.")
@click.option("--seed", default=0, type=click.IntRange(min=0), help="Another number takes another sample.")
@click.option("--language", "codes", multiple=True, help="A language to tell from others; without it, all. Repeatable.")
@click.option("--output", type=NewPath(), help="Also write a page with figures: one HTML file.")
@click.option("--table", type=NewPath(), help="Also write all numbers as tab-separated text.")
@click.option("--json", "json_path", type=NewPath(), help="Also write all numbers as JSON.")
def command(
    archives: tuple[str, ...],
    config: Path | None,
    names: tuple[str, ...],
    sample: str,
    seed: int,
    codes: tuple[str, ...],
    output: Path | None,
    table: Path | None,
    json_path: Path | None,
) -> None:
    """Say what is in a crawl: languages, encodings, hosts, kinds of pages, dates, duplicates.

    ARCHIVES are WARC or ARC files, or patterns as in a config. Reads a sample of their records, the same in each run
    and in any order of archives, and prints each share with the size of the sample and a 95 % interval. With
    records that have their own gzip member or Zstandard frame, as in most crawls, only the sample is read.
    """
    from corpusprep.archive.patterns import expand
    from corpusprep.forecast.plan import read_config
    from corpusprep.io.progress import track
    from corpusprep.io.sizes import parse_size
    from corpusprep.languages import get, identification, is_path, kept, known
    from corpusprep.survey import report as survey_report
    from corpusprep.survey import sample as survey_sample
    from corpusprep.survey.survey import survey

    patterns = list(archives)
    if bool(patterns) == (config is not None):
        raise ConfigError("survey: give either archives or --config FILE")
    if names and config is None:
        raise ConfigError("--only: only with --config")
    if config is not None:
        settings, _ = read_config(config)
        # A corpus of several languages has one set of settings per language: name/code.
        by_name = {name.partition("/")[0]: corpus for name, corpus in settings.items()} | dict(settings)
        if unknown := [name for name in names if name not in by_name]:
            raise ConfigError(f"--only {unknown[0]}: not in {config}; it has {', '.join(by_name)}")
        patterns_of = {by_name[name].archives for name in names or settings}
        archive_paths = {path for archives_of in sorted(patterns_of) for path in expand(archives_of)}
    else:
        archive_paths = set(expand(patterns))
    wanted = parse_size(sample)
    if not wanted:
        raise ConfigError(f"--sample {sample}: must be above 0")
    taken = survey_sample.take(sorted(archive_paths), wanted, seed)
    chosen = list(dict.fromkeys(codes)) or known()
    models = [
        get(code) if is_path(code) else kept.keep(get(code))
        for code in track(chosen, "survey: models of languages", len(chosen))
    ]
    result = survey(taken, identification.Identifier(models))
    for line in survey_report.lines(result):
        click.echo(line)
    if table:
        survey_report.write_table(result, table)
    if json_path:
        survey_report.write_json(result, json_path)
    if output:
        survey_report.write_page(result, output)
