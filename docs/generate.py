"""Adds the generated reference pages to the site, and fills in the generated parts of others (a mkdocs hook).

Nothing is copied by hand: settings come from the config schema, commands from click, tables from their schemas, and
so on. A column or table without a description stops the build.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from reference_pages import algorithms, architecture, commands, files, library, models, settings

#: In a page, the place of something that is generated.
MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


PAGES: dict[str, Callable[[], str]] = {
    "reference/config.md": settings.config_reference,
    **{commands.page_of(group): partial(commands.command_reference, group) for group in commands.GROUPS},
    "reference/library.md": library.library_reference,
    "reference/files.md": files.file_reference,
    "reference/verdicts.md": files.verdict_reference,
    "reference/algorithms.md": algorithms.algorithm_reference,
    "reference/features.md": algorithms.feature_reference,
    "reference/models.md": models.model_reference,
    "reference/languages.md": algorithms.language_reference,
}
PARTS: dict[str, Callable[[], str]] = {
    "layers": architecture.layers,
    "steps": architecture.steps,
    "corpus_columns": files.corpus_columns,
    "output_formats": files.output_formats,
    "corpus_formats": files.corpus_formats,
}


def on_files(site: Any, config: Any) -> Any:
    """Adds the generated pages to the site (mkdocs calls this)."""
    from mkdocs.structure.files import File

    for path, make in PAGES.items():
        site.append(File.generated(config, path, content=make()))
    return site


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fills in the parts of a page that are generated (mkdocs calls this)."""
    return MARK.sub(lambda found: PARTS[found[1]](), markdown)
