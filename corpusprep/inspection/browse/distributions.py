"""Pages with the distribution of hits, or of all documents, over hosts, years and other values."""

from collections.abc import Sequence

import polars as pl
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from corpusprep.errors import CorpusprepError
from corpusprep.inspection import list_text, word_lists
from corpusprep.inspection.breakdown import USUAL, breakdown
from corpusprep.inspection.browse.command_text import command_lines
from corpusprep.inspection.browse.site import Site, choice, file_headers, given, number, query
from corpusprep.inspection.concordance_lines import KEYWORD, YEAR
from corpusprep.inspection.query import parse
from corpusprep.inspection.search_texts import CORPUS as IN_CORPUS
from corpusprep.inspection.search_texts import STAGES as SEARCHED
from corpusprep.inspection.subcorpora import part_of, saved

#: Values on a page, and the most pages.
VALUES, PAGES = 100, 100


class Distributions:
    """The pages."""

    def __init__(self, site: Site) -> None:
        """Takes the corpora."""
        self._site = site

    def distribution(self, request: Request) -> Response:
        """How the hits of a query, or the documents, are spread over hosts, years, or other values."""
        name, folder = self._site.corpus(request)
        pattern, by = given(request, "pattern").strip(), given(request, "by").strip() or YEAR
        stage = choice(request, "stage", [IN_CORPUS, *SEARCHED])
        where, subcorpus = given(request, "where").strip(), given(request, "in")
        corpus = word_lists.Corpus(folder, self._site.columns_of(folder), self._site.memory, word_lists.cores())
        form = given(request, "format")
        page = min(max(1, number(given(request, "page"), 1)), PAGES)
        first = (page - 1) * VALUES
        rows, hits, problem = pl.DataFrame({"item": []}), 0, ""
        try:
            part = part_of(folder, where, subcorpus)
            asked = parse(pattern, corpus.columns) if pattern else None
            rows, counts = breakdown(corpus, asked, by, stage=stage, part=part)
            hits = counts.hits
        except CorpusprepError as error:
            problem = str(error)
        columns = list_text.of_breakdown(rows.columns)
        if form in list_text.FORMS and not problem:
            pieces = list_text.pieces([rows], columns, form)
            return StreamingResponse(pieces, headers=file_headers(f"{name}-{by}", form))
        condition = where or saved(folder).get(subcorpus, "")
        values = {
            "pattern": pattern,
            "by": by if by != YEAR else "",
            "stage": stage if stage != IN_CORPUS else "",
            "where": where,
            "in": subcorpus,
        }
        measured = "per_million" if "per_million" in rows.columns else "share"
        shown = rows.slice(first, VALUES)
        options = (
            ["--by", by],
            ["--stage", stage if stage != IN_CORPUS else ""],
            ["--where", where],
            ["--in", subcorpus],
        )
        named = ["--columns", ",".join(self._site.columns)]
        command = [["corpusprep", "search", str(self._site.shown_folder(folder)), pattern]]
        command += [option for option in (*options, named) if option[1]]
        return self._site.render(
            "distribution.html.j2",
            corpus=name,
            pattern=pattern,
            by=by,
            usual=[*USUAL, *corpus.columns[1:]],
            stage=stage,
            stages=SEARCHED,
            where=where,
            subcorpus=subcorpus,
            saved=list(saved(folder)),
            columns=columns,
            rows=[
                (row, query({**values, "by": "", "in": "", "where": inside}) if inside else "")
                for row in shown.iter_rows(named=True)
                for inside in [_inside(by, str(row["item"]), condition, corpus.columns) if pattern else ""]
            ],
            measured=measured,
            most=max(rows[measured].max() or 1, 1e-9) if rows.height else 1,
            listed=rows.height,
            hits=hits,
            first=first,
            earlier=query({**values, "page": page - 1}) if page > 1 else "",
            more=query({**values, "page": page + 1}) if rows.height > first + VALUES and page < PAGES else "",
            files=[(form, query({**values, "format": form})) for form in list_text.FORMS],
            command=command_lines(command) if pattern else "",
            problem=problem,
            back=query({**values, "where": ""})[1:],
        )


def _inside(by: str, item: str, condition: str, columns: Sequence[str]) -> str:
    """Returns the condition on documents that leads to the hits of a value; empty if none does."""
    if by == KEYWORD or by in columns or not item or '"' in item or "\\" in item:
        return ""
    own = f'date>="{item}" & date<"{item}~"' if by == YEAR else f'{by}=="{item}"'
    return f"({condition}) & {own}" if condition else own
