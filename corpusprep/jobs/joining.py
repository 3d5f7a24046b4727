"""Corpora that are made from finished ones (`from`): their batches, and the files of steps on pages.

The batches of the new corpus are those of the finished ones, in the order of their archives, as if one run had read all
archives. Its folder has links to the files that the steps on pages wrote there; all other steps run again.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corpusprep.archive.batches import Batch, bundles, read_batches, remove_others, write_batches, write_bundles
from corpusprep.errors import ConfigError, StageFileError
from corpusprep.io.files import replacing
from corpusprep.jobs import packing
from corpusprep.pipeline import FILES, STEPS
from corpusprep.tables.batch_files import corpus_file


def planned(sources: Iterable[Path]) -> dict[Path, list[Batch]]:
    """Returns the batches that a corpus takes from each of the finished corpora. A batch that several have counts once.

    Raises:
        ConfigError: an archive is in two different batches.
        StageFileError: a folder has no batches.
    """
    taken: dict[Path, list[Batch]] = {}
    names: set[str] = set()
    owners: dict[Path, Path] = {}
    for folder in dict.fromkeys(sources):
        batches = [batch for batch in read_batches(corpus_file(folder, "plan")) if batch.name not in names]
        for archive in (archive for batch in batches for archive in batch.archives if sum(batch.sizes)):
            if owners.setdefault(archive, folder) != folder:
                raise ConfigError(
                    f"{archive} is in {owners[archive]} and in {folder}: its pages would count twice; build one of them"
                    " without it"
                )
        names.update(batch.name for batch in batches)
        taken[folder] = batches
    return taken


def in_order(taken: Mapping[Path, Sequence[Batch]]) -> list[Batch]:
    """Returns all batches in the order of their archives, which is that of a single run."""
    return sorted((batch for batches in taken.values() for batch in batches), key=lambda batch: str(batch.archives[0]))


def join(folder: Path, sources: Iterable[Path]) -> list[Batch]:
    """Makes the folder of a corpus from finished ones: links to their files, bundles.tsv and batches.tsv.

    Raises:
        ConfigError, StageFileError: as `planned`; or a file is missing.
    """
    taken = planned(sources)
    batches = in_order(taken)
    bundled = bundles(batches)
    remove_others([*(batch.name for batch in batches), *bundled], folder)
    for source, own in taken.items():
        _take_over(folder, source, [batch.name for batch in own])
    write_bundles(bundled, corpus_file(folder, "bundles"))
    write_batches(batches, corpus_file(folder, "plan"))
    return batches


def _take_over(folder: Path, source: Path, batches: Sequence[str]) -> None:
    """Links the files of batches, and their times; what is packed is written again from the pack."""
    steps = [step for step in STEPS.values() if step.taken_over]
    always = [FILES[name].pattern for step in steps if not step.when for name in step.writes]
    stages = {step.stage_name for step in steps}
    folders = {Path(FILES[name].pattern).parent for step in steps for name in step.writes if _of_batch(name)}
    folders |= {Path("times", stage) for stage in stages}
    for name in (name for step in steps for name in step.writes if not _of_batch(name)):
        if (path := corpus_file(source, name)).exists():
            _link(path, corpus_file(folder, name))
    taken, wanted = set[str](), set(batches)
    for place in sorted(folders):
        for path in (source / place).glob("*"):
            if path.stem.partition(".")[0].rpartition("-")[2] in wanted:
                taken.add(str(place / path.name))
                _link(path, folder / place / path.name)
    for batch in batches:
        for name, modified, content in packing.members(source, batch):
            if Path(name).parent in folders:
                taken.add(name)
                packing.extract(folder / name, modified, content)
    for pattern in always:
        for name in (pattern.format(batch=batch) for batch in batches):
            if name not in taken:
                raise StageFileError.missing(source / name)


def _of_batch(name: str) -> bool:
    return "{batch}" in FILES[name].pattern


def _link(path: Path, link: Path) -> None:
    """Makes a link to a file itself, not to another link, so that folders between may be removed."""
    target = os.path.relpath(path.resolve(), link.parent.resolve())
    with replacing(link) as temporary:
        temporary.symlink_to(target)
