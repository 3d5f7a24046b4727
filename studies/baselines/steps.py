"""The steps of density-site: two reference pages of each host, wherever they are in the corpus (Baisa 2009, 2.4)."""

from corpusprep.pipeline import Extension, File, Memory, Scope, Settings, Step


def _compares_pages(corpus: Settings) -> bool:
    return bool(corpus.sections["boilerplate"]["algorithm"] == "density-site")


_COMMAND = "studies.commands.references:command"
EXTENSION = Extension(
    steps=(
        Step(
            name="references choose",
            label="Reference pages",
            help="Choose two reference pages of each host, wherever they are in the corpus (density-site).",
            job="references_choose",
            when=_compares_pages,
            scope=Scope.CORPUS,
            reads=("encoding", "plan"),
            writes=("chosen_references",),
            memory=Memory.CORPUS,
            sampled=True,
            stage="boilerplate",
            before="robots gather",
            entry=_COMMAND,
        ),
        Step(
            name="references gather",
            label="Reference pages",
            help="Copy the chosen reference pages from the archives of a batch.",
            job="references_gather",
            when=_compares_pages,
            scope=Scope.BATCH,
            reads_archives=True,
            reads=("encoding", "chosen_references"),
            writes=("references",),
            memory=Memory.BATCH,
            sampled=True,
            stage="boilerplate",
            before="robots gather",
            entry=_COMMAND,
        ),
    ),
    files={
        "chosen_references": File("references/chosen.parquet"),
        "references": File("references/{batch}.parquet"),
    },
    read_by={"boilerplate": ("references",)},
    of_all=("references",),
)
