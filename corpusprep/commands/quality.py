"""`corpusprep step quality`: measure the quality of documents, and remove those that a rule refuses."""

from pathlib import Path
from typing import Any

import click

from corpusprep import languages
from corpusprep.cleaners import model_files
from corpusprep.commands import options
from corpusprep.quality.classifier import read_model
from corpusprep.quality.documents import write_quality
from corpusprep.quality.rules import applicable, rules, section_text
from corpusprep.quality.signals import LISTED_WORDS, lacking
from corpusprep.quality.word_lists import list_of
from corpusprep.tables.batch_files import BatchFiles


@click.command("quality")
@options.new_corpus
@options.batch
@options.model
@options.quality_rules
def command(corpus_dir: Path, batch: str, model: str, filter_model: str, **wanted: Any) -> None:
    """Measure the quality of the documents of a batch, and decide which ones stay.

    Without a rule, all of them stay.
    """
    language = languages.get(model)
    lists = wanted["word_lists"]
    listed = list_of(lists, language.code) if lists else None
    without = lacking(language)
    if lists and listed is None:
        without[LISTED_WORDS] = f"{lists} has no list for {language.name}"
    applied, left_out = applicable(rules(**wanted, model=filter_model), without)
    for reason, texts in left_out.items():
        click.echo(f"corpusprep: note: filter: {reason}: not applied: {', '.join(texts)}", err=True)
    classifier = read_model(model_files.path_of(filter_model)) if filter_model else None
    files = BatchFiles.of(corpus_dir, batch)
    write_quality(files, language, applied, classifier, listed, section_text(wanted))
