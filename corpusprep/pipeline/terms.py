"""What a pipeline is declared in: files, steps, the jobs that steps run in, and the steps that packages add."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Protocol

from corpusprep.pipeline.stages import STAGES


class Settings(Protocol):
    """What a condition looks at: the settings of a corpus, or of a crawl (config.settings.CorpusSettings)."""

    @property
    def sections(self) -> Mapping[str, Mapping[str, Any]]:
        """The sections of the config that steps take, by name."""


class Scope(Enum):
    """What one job works on."""

    BATCH = "batch"  # a list of archives
    BUNDLE = "bundle"  # up to 16 batches
    PART = "part"  # a range of keys, of all batches
    CORPUS = "corpus"  # all batches


class Memory(Enum):
    """What the memory of a step depends on (jobs.resources has the megabytes)."""

    BATCH = "batch"  # the bytes of the batch's archives
    STREAM = "stream"  # the same, of which it holds numbers of pages and blocks only
    GLOBAL = "global"  # the setting `memory`, whatever the size of the corpus
    CORPUS = "corpus"  # the bytes of all archives


@dataclass(frozen=True, slots=True)
class File:
    """A file of a corpus's folder, or one file per batch or bundle.

    Attributes:
        pattern: its path relative to the folder, with the wildcards {batch}, {bundle} and {part}.
        temporary: whether the workflow removes it when the steps that read it are done.
        in_folder: whether the workflow knows it by its folder only: one job writes the files of several batches.
    """

    pattern: str
    temporary: bool = False
    in_folder: bool = False

    @property
    def declared(self) -> str:
        """What the rules name: the file, or its folder."""
        return self.pattern.rpartition("/")[0] if self.in_folder else self.pattern

    @property
    def glob(self) -> str:
        """What its paths match: names of batches begin with b, those of bundles with b or g; files of steps do not."""
        starts = {f"{{{Scope.BATCH.value}}}": "b*", f"{{{Scope.BUNDLE.value}}}": "[bg]*"}
        return re.sub(r"\{\w+\}", lambda name: starts.get(name[0], "*"), self.pattern)

    @property
    def scope(self) -> Scope:
        """What there is one of."""
        return next((scope for scope in Scope if f"{{{scope.value}}}" in self.declared), Scope.CORPUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command.

    Attributes:
        name: its command below `corpusprep step`, with the words that tell it from other steps of that command.
        label: the name for people.
        help: what it does, in one sentence; the help of its stage if not given.
        job: the job that runs it, which is the name of the rule.
        scope: what the job works on.
        when: the condition on the settings of a corpus under which it runs; None: always. Files of a step that does not
            run are not read either.
        reads: names of FILES.
        of_all: the inputs that it reads of all batches, though it works on one.
        implied: names of FILES that it reads but the rule does not name, because they exist whenever others do.
        writes: names of FILES.
        takes: inputs from outside the corpus's folder that it is told: archives, model, rivals, language.
        reads_archives: whether it reads archives that a table names; the rule has them as inputs.
        settings: the settings that it is given: sections of the config, or single keys (section.key).
        memory: what its memory depends on; None for seconds of work on the machine that runs the workflow.
        bytes_per_minute: bytes of archives, as stored, for each minute that its job asks for; 0: as other jobs of its
            scope and memory.
        threads: whether it takes a number of threads.
        parts: whether it takes the number of parts of the corpus.
        divides: the step whose work it shares. It runs only where the corpus has several parts.
        process_per_batch: in a bundle, whether each batch has a process, so that memory does not grow with the bundle.
        sampled: whether a forecast runs it on a sample of the archives, of corpora that have it.
        of_kept: whether its work depends on what de-duplication keeps.
        group: jobs of one group are submitted to a cluster as one.
        stage: the name of its stage; the first word of its own name if not given.
        before: for a step of another package, the step that it comes before; none: it is the last.
        entry: where the command of such a step is, as `module:attribute`.
    """

    name: str
    label: str
    job: str
    scope: Scope
    when: Callable[[Settings], bool] | None = None
    reads: tuple[str, ...] = ()
    of_all: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    reads_archives: bool = False
    settings: tuple[str, ...] = ()
    memory: Memory | None = None
    bytes_per_minute: int = 0
    threads: bool = False
    parts: bool = False
    divides: str = ""
    process_per_batch: bool = False
    sampled: bool = False
    of_kept: bool = False
    group: str = ""
    stage: str = ""
    help: str = ""
    before: str = ""
    entry: str = ""

    def runs(self, settings: Settings) -> bool:
        """Returns whether a corpus with these settings has the step."""
        return self.when is None or self.when(settings)

    @property
    def cost(self) -> str:
        """The name of its row in the table of costs; steps that do the same to different files share one."""
        return " ".join(self.name.split()[:2])

    @property
    def stage_name(self) -> str:
        """The name of its stage."""
        return self.stage or self.name.split()[0]

    @property
    def of_pages(self) -> bool:
        """Whether it runs in the folder of a crawl of several languages, once for all of them."""
        return STAGES[self.stage_name].of_pages

    @property
    def taken_over(self) -> bool:
        """Whether a corpus that is made from finished ones (`from`) takes its files from them, as they are."""
        stages = tuple(STAGES)
        return 0 < stages.index(self.stage_name) < stages.index("documents")

    @property
    def sentence(self) -> str:
        """What it does."""
        return self.help or STAGES[self.stage_name].help

    @property
    def times(self) -> File:
        """The file that its times go to."""
        words = self.name.split()
        part = "-".join(words if words[0] != self.stage_name else words[1:])
        unit = f"{{{self.scope.value}}}" if self.scope is not Scope.CORPUS else "" if part else "all"
        path = f"times/{self.stage_name}/{'-'.join(filter(None, (part, unit)))}"
        return File(f"{path}/{{batch}}.tsv", in_folder=True) if self.process_per_batch else File(f"{path}.tsv")


@dataclass(frozen=True, slots=True)
class Job:
    """The steps that Snakemake runs together: processes that follow each other.

    Attributes:
        name: the name of its rule.
        steps: in the order in which they run.
    """

    name: str
    steps: tuple[Step, ...]

    def of_corpora(self, corpora: Iterable[Settings]) -> "Job":
        """Returns the job with those steps that any of the corpora has; if there are none, with all."""
        corpora = list(corpora)
        steps = tuple(step for step in self.steps if step.when is None or any(map(step.runs, corpora)))
        return replace(self, steps=steps or self.steps)

    @property
    def scope(self) -> Scope:
        """What it works on."""
        return self.steps[0].scope

    @property
    def label(self) -> str:
        """Its name for people."""
        labels = [self.steps[0].label, *(step.label[0].lower() + step.label[1:] for step in self.steps[1:])]
        return " and ".join([", ".join(labels[:-1]), labels[-1]]) if labels[1:] else labels[0]

    @property
    def sentence(self) -> str:
        """What its steps do, for lists of rules."""
        return " ".join(step.sentence for step in self.steps)

    @property
    def of_pages(self) -> bool:
        """Whether it runs in the folder of a crawl of several languages, once for all of them."""
        return self.steps[0].of_pages

    @property
    def taken_over(self) -> bool:
        """Whether a corpus that is made from finished ones does without it."""
        return self.steps[0].taken_over

    @property
    def group(self) -> str:
        """Jobs of one group are submitted to a cluster as one."""
        return self.steps[0].group

    @property
    def reads(self) -> tuple[str, ...]:
        """Names of the files that must exist before it runs."""
        written = set(self.writes)
        return unique(name for step in self.steps for name in step.reads if name not in written)

    @property
    def of_all(self) -> tuple[str, ...]:
        """Names of the files that it reads of all batches, though it works on one."""
        return unique(name for step in self.steps for name in step.of_all)

    @property
    def takes(self) -> tuple[str, ...]:
        """Inputs from outside the corpus's folder: archives, model, rivals, and the list of what the corpus forgets."""
        archives = ["archives" for step in self.steps if step.reads_archives]
        forgets = ["forget" for step in self.steps if "forget" in step.settings]
        return unique([*archives, *(name for step in self.steps for name in step.takes), *forgets])

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of the files that it writes."""
        return unique(name for step in self.steps for name in step.writes)

    @property
    def log(self) -> str:
        """The file that its messages go to, relative to the corpus's folder."""
        return f"logs/{self.name}.log" if self.scope is Scope.CORPUS else f"logs/{self.name}/{{{self.scope.value}}}.log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """Steps of another package: what an entry point of the group `corpusprep.steps` names.

    Attributes:
        steps: in the order of their work.
        files: the files that they write, by name.
        read_by: steps that are declared elsewhere -> names of these files that they read, too.
        of_all: the names of these files that steps on one batch read of all batches.
    """

    steps: tuple[Step, ...]
    files: Mapping[str, File]
    read_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_all: tuple[str, ...] = ()


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names without repetitions, in their order."""
    return tuple(dict.fromkeys(names))
