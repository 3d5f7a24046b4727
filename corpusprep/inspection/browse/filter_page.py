"""The page of the filter by quality, and what its script asks for."""

import functools
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from corpusprep.errors import CorpusprepError
from corpusprep.inspection.browse import filters
from corpusprep.inspection.browse.site import Site, choice, fields, given
from corpusprep.inspection.filter_trial import FilterTrial
from corpusprep.tables.crawl_files import is_crawl

#: Corpora whose signals stay in memory.
_TRIALS = 2


class FilterPage:
    """The page."""

    def __init__(self, site: Site) -> None:
        """Takes the corpora."""
        self._site = site
        self._trials = functools.lru_cache(_TRIALS)(filters.begin)
        self._reading = threading.Lock()

    def filter(self, request: Request) -> Response:
        """Sliders of the thresholds, with what is nearest to one of them."""
        name, folder = self._site.corpus(request)
        trial, sliders = self._begun(request, folder)
        moved = filters.chosen(sliders, fields(request))
        answer = self._answer(request, name, folder, pages=True)
        return self._site.render(
            "filter.html.j2",
            corpus=name,
            trial=trial,
            conditions=filters.conditions(trial),
            presets=filters.presets(),
            preset=given(request, "preset"),
            sliders=[
                (one, f"{moved.get(one.name, one.value):.12g}", note)
                for one, note in zip(sliders, answer["notes"], strict=True)
            ],
            chosen=given(request, "near"),
            written=not is_crawl(folder.parent),
            **answer,
        )

    def count(self, request: Request) -> Response:
        """What thresholds remove, for the script; on request, also what is nearest to one of them."""
        name, folder = self._site.corpus(request)
        try:
            return JSONResponse(self._answer(request, name, folder, pages=given(request, "pages") == "1"))
        except CorpusprepError as error:
            return JSONResponse({"error": str(error)}, 400)

    def _answer(self, request: Request, name: str, folder: Path, *, pages: bool) -> dict[str, Any]:
        trial, sliders = self._begun(request, folder)
        moved = filters.chosen(sliders, fields(request))
        section = filters.section_with(trial, moved)
        outcome = trial.outcome(section)
        answer: dict[str, Any] = {
            "summary": filters.summary(trial, outcome),
            "notes": filters.notes(trial, sliders, moved, outcome),
            "config": filters.config_of(section),
            "recut": filters.recut_of(section, self._site.shown_folder(folder), written=not is_crawl(folder.parent)),
        }
        if pages and sliders:
            named = choice(request, "near", [one.name for one in sliders])
            near = next(one for one in sliders if one.name == named)
            answer["sides"] = filters.sides(trial, section, near, f"{self._site.base}/c/{quote(name, safe='')}/page")
        return answer

    def _begun(self, request: Request, folder: Path) -> tuple[FilterTrial, list[filters.Control]]:
        with self._reading:  # several requests at once would read it several times
            return self._trials(folder, given(request, "preset"))
