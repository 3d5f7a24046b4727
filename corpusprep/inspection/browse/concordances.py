"""Pages with concordances: lines as found, sorted, or drawn at random."""

import io
import itertools
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from corpusprep.errors import CorpusprepError
from corpusprep.inspection import concordance, concordance_text
from corpusprep.inspection.browse.command_text import command_lines
from corpusprep.inspection.browse.site import Site, choice, file_headers, given, number, query
from corpusprep.inspection.concordance_lines import ConcordanceLine
from corpusprep.inspection.ending import ending
from corpusprep.inspection.parsed_query import Query
from corpusprep.inspection.query import parse
from corpusprep.inspection.search_texts import CORPUS as IN_CORPUS
from corpusprep.inspection.search_texts import STAGES as SEARCHED
from corpusprep.inspection.subcorpora import in_part, part_of, saved
from corpusprep.inspection.unknown_names import unknown_names

#: Lines of a concordance on a page, how many hits are drawn to be sorted, and the most pages of other hits.
LINES, DRAWN, PAGES = 200, 1_000, 50
#: Sizes of samples; the largest has PAGES pages.
SAMPLES = (100, 1_000, 10_000)
CONTEXT = 70


class Concordances:
    """The pages."""

    def __init__(self, site: Site) -> None:
        """Takes the corpora."""
        self._site = site

    def concordance(self, request: Request) -> Response:
        """A word or sequence in its contexts."""
        name, folder = self._site.corpus(request)
        pattern = given(request, "pattern")
        stage, sort = choice(request, "stage", [IN_CORPUS, *SEARCHED]), given(request, "sort")
        where, subcorpus = given(request, "where").strip(), given(request, "in")
        chosen = number(given(request, "sample"), 0)
        sample = min(chosen, SAMPLES[-1]) or (DRAWN if sort else 0)
        form = given(request, "format")
        if pattern and form in concordance_text.FORMS:
            return self._lines(request, form, stage, sort, sample)
        pages = -(-sample // LINES) if sample else PAGES
        page = min(max(1, number(given(request, "page"), 1)), pages)
        first = (page - 1) * LINES
        lines: list[ConcordanceLine] = []
        problem = missing = ""
        if pattern:
            try:
                # One line more than is shown: then there is a next page.
                asked = self._asked(request)
                hits = self._search(request, asked, stage, sort, sample, first + LINES + 1)
                lines = list(itertools.islice(hits, first, None))
                if not lines and page == 1 and stage == IN_CORPUS:
                    missing = unknown_names(folder, asked)
            except CorpusprepError as error:
                problem = str(error)
        values = {
            "pattern": pattern,
            "stage": stage if stage != IN_CORPUS else "",
            "sort": sort,
            "sample": chosen or "",
            "where": where,
            "in": subcorpus,
        }
        command = [["corpusprep", "search", str(self._site.shown_folder(folder)), pattern]]
        options = {
            "--stage": values["stage"],
            "--sort": sort,
            "--sample": str(sample or ""),
            "--where": where,
            "--in": subcorpus,
            "--columns": ",".join(self._site.columns),
        }
        command += [[option, str(value)] for option, value in options.items() if value]
        return self._site.render(
            "concordance.html.j2",
            corpus=name,
            pattern=pattern,
            stage=stage,
            stages=SEARCHED,
            sort=sort,
            sorts=concordance.SORTS,
            sample=chosen,
            samples=SAMPLES,
            where=where,
            subcorpus=subcorpus,
            saved=list(saved(folder)),
            lines=lines[:LINES],
            first=first,
            drawn=sample,
            last=page == pages,
            earlier=query({**values, "page": page - 1}) if page > 1 else "",
            more=query({**values, "page": page + 1}) if len(lines) > LINES and page < pages else "",
            files=[(form, query({**values, "format": form})) for form in concordance_text.FORMS],
            same=query({"where": where, "in": subcorpus, "stage": values["stage"], "pattern": pattern}),
            part=query({"where": where, "in": subcorpus})[1:],
            back=query({**values, "where": ""})[1:],
            problem=problem,
            missing=missing,
            command=command_lines(command),
        )

    def _asked(self, request: Request) -> Query:
        _, folder = self._site.corpus(request)
        part = part_of(folder, given(request, "where").strip(), given(request, "in"))
        return in_part(parse(given(request, "pattern"), self._site.columns_of(folder)), part)

    def _search(
        self, request: Request, asked: Query, stage: str, sort: str, sample: int, limit: int
    ) -> Iterator[ConcordanceLine]:
        _, folder = self._site.corpus(request)
        return concordance.search(
            folder,
            asked,
            stage=stage,
            sort=sort,
            sample=sample,
            limit=limit,
            width=CONTEXT,
            ended=ending(),
        )

    def _lines(self, request: Request, form: str, stage: str, sort: str, sample: int) -> Response:
        """Returns the lines as a file: as many as all pages have."""
        name, _ = self._site.corpus(request)
        text = io.StringIO()
        lines = self._search(request, self._asked(request), stage, sort, sample, sample or LINES * PAGES)
        concordance_text.FORMS[form](lines, text.write)
        return Response(text.getvalue().encode("utf-8", "replace"), headers=file_headers(f"{name}-concordance", form))
