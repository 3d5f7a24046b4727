"""Pages with lists of items: word lists and n-grams, keywords, collocations; also as files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import polars as pl
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from corpusprep.errors import CorpusprepError
from corpusprep.inspection import association, collocations, keyness, keywords, list_text, word_lists
from corpusprep.inspection.browse.command_text import command_lines
from corpusprep.inspection.browse.running import Queries
from corpusprep.inspection.browse.site import Site, choice, file_headers, given, number, query
from corpusprep.inspection.counting import LONGEST_NGRAM
from corpusprep.inspection.query import LOWER, PatternError, parse
from corpusprep.inspection.subcorpora import Part, part_of, save, saved

#: Rows of a page, and the most pages.
ROWS, PAGES = 100, 100
#: The fewest pairs of a hit and a collocate, and occurrences of a keyword, if nothing else is asked for.
LEAST = {"words": 1, "keywords": 2, "collocations": 2}


@dataclass(frozen=True)
class Asked:
    """What the address of a list says.

    Attributes:
        attribute: of the items.
        ngrams: tokens of an item.
        pattern: a regular expression that items match as a whole.
        least: the smallest frequency.
        where: a condition on documents.
        subcorpus: the name of one that was saved.
    """

    attribute: str
    ngrams: int
    pattern: str
    least: int
    where: str
    subcorpus: str

    def part(self, folder: Path) -> Part:
        """Returns the part of a corpus."""
        return part_of(folder, self.where, self.subcorpus)


@dataclass(frozen=True)
class Result:
    """A list in pieces, at least one; what is said of it."""

    frames: Iterable[pl.DataFrame]
    summary: str


class Lists:
    """The pages."""

    def __init__(self, site: Site, queries: Queries) -> None:
        """Takes the corpora, and the threads that count."""
        self._site, self._queries = site, queries

    def words(self, request: Request) -> Response:
        """The words of a corpus, or its n-grams."""
        asked = self._asked(request, "words")
        sort = choice(request, "sort", word_lists.SORTS)

        def listed(corpus: word_lists.Corpus, limit: int) -> Result:
            words = corpus.words(asked.attribute, asked.ngrams, asked.part(corpus.folder))
            if not limit:
                return Result(words.in_order(asked.pattern, asked.least, sort), "")
            rows, total = words.first(asked.pattern, asked.least, sort, limit)
            about = words.documents
            return Result(
                [rows], f"{total:,} items; {about.tokens:,} tokens, {len(about):,} documents, {about.hosts:,} hosts"
            )

        options = [["--sort", sort]] if sort != word_lists.SORTS[0] else []
        own = {"sort": sort, "sorts": word_lists.SORTS}
        return self._page(request, "words", asked, list_text.WORDS, listed, options, own, {"sort": sort})

    def keywords(self, request: Request) -> Response:
        """What is typical of a corpus, or of a part of it."""
        asked = self._asked(request, "keywords")
        measures = [keywords.MEASURE, *(name for name in keyness.MEASURES if name != keywords.MEASURE)]
        measure = choice(request, "measure", measures)
        name, _ = self._site.corpus(request)
        others = {known: folder for known, folder in self._site.folders().items() if known != name}
        reference = choice(request, "reference", ["", keywords.WORDFREQ, *others])
        language = given(request, "language").strip()

        def listed(corpus: word_lists.Corpus, limit: int) -> Result:
            part = asked.part(corpus.folder)
            other = others.get(reference, reference)
            against, called = keywords.reference(corpus, part, other, asked.attribute, asked.ngrams, language or None)
            focus = corpus.words(asked.attribute, asked.ngrams, part)
            rows = keywords.keywords(
                focus, against, measure=measure, pattern=asked.pattern, least=asked.least, limit=limit
            )
            called = reference if reference in others else called
            return Result(rows, f"{focus.documents.tokens:,} tokens against {called}")

        options = [["--measure", measure]] if measure != keywords.MEASURE else []
        if reference:
            shown = str(self._site.shown_folder(others[reference])) if reference in others else reference
            options.append(["--reference", shown])
        options += [["--language", language]] if language else []
        values = {"measure": measure, "reference": reference, "language": language}
        own = {**values, "measures": measures, "references": list(others)}
        return self._page(request, "keywords", asked, list_text.of_keywords(measure), listed, options, own, values)

    def collocations(self, request: Request) -> Response:
        """What stands near the hits of a query."""
        asked = self._asked(request, "collocations")
        measures = [collocations.MEASURE, *(name for name in association.MEASURES if name != collocations.MEASURE)]
        measure = choice(request, "measure", measures)
        node = given(request, "query").strip()
        window = tuple(
            number(given(request, side), usual)
            for side, usual in zip(("left", "right"), collocations.WINDOW, strict=True)
        )
        left, right = window
        columns = self._site.columns_of(self._site.corpus(request)[1])
        collocates = given(request, "collocates").strip()

        def listed(corpus: word_lists.Corpus, limit: int) -> Result:
            rows, hits = collocations.collocations(
                corpus,
                parse(node, corpus.columns),
                asked.attribute,
                window=(left, right),
                measure=measure,
                part=asked.part(corpus.folder),
                collocates=parse(collocates, corpus.columns) if collocates else None,
                pattern=asked.pattern,
                least=asked.least,
                limit=limit,
            )
            return Result([rows], f"{hits:,} hits")

        options = [[node]] if node else []
        options += [["--window", f"{left},{right}"]] if window != collocations.WINDOW else []
        options += [["--measure", measure]] if measure != collocations.MEASURE else []
        options += [["--collocates", collocates]] if collocates else []
        values = {"query": node, "left": left, "right": right, "measure": measure, "collocates": collocates}
        return self._page(
            request,
            "collocations",
            asked,
            list_text.of_collocations(measure),
            listed if node else None,
            options,
            {**values, "measures": measures},
            values,
            lambda item: _together(node, _both(item, collocates, columns), left, right, columns),
        )

    def done(self, request: Request) -> Response:
        """How much of the query on a corpus that runs is done, for the script."""
        name, _ = self._site.corpus(request)
        return JSONResponse({"done": self._queries.done(name)})

    def _asked(self, request: Request, kind: str) -> Asked:
        attributes = self._attributes(self._site.corpus(request)[1])
        return Asked(
            choice(request, "attribute", attributes),
            min(max(1, number(given(request, "ngrams"), 1)), LONGEST_NGRAM),
            given(request, "pattern").strip(),
            max(1, number(given(request, "least"), LEAST[kind])),
            given(request, "where").strip(),
            given(request, "in"),
        )

    def _attributes(self, folder: Path) -> list[str]:
        return list(dict.fromkeys((LOWER, *self._site.columns_of(folder))))

    def _page(
        self,
        request: Request,
        kind: str,
        asked: Asked,
        columns: Sequence[list_text.Shown],
        listed: Any,
        options: Sequence[Sequence[str]],
        own: Mapping[str, Any],
        values: Mapping[str, object],
        hits_of: Callable[[str], str] = str,
    ) -> Response:
        """Returns a list as a page, or as a file.

        Args:
            request: the request.
            kind: `words`, `keywords` or `collocations`.
            asked: what all lists are asked.
            columns: of the list.
            listed: makes the list of a corpus, with a limit; None: nothing is asked yet.
            options: of the command that prints the same list.
            own: what the page of this kind shows.
            values: the fields of its address.
            hits_of: makes of the query of an item the one that its link shows.
        """
        name, folder = self._site.corpus(request)
        corpus = word_lists.Corpus(folder, self._site.columns_of(folder), self._site.memory, word_lists.cores())
        form = given(request, "format")
        if listed and form in list_text.FORMS:
            with self._queries.alone(folder):
                frames = iter(listed(corpus, 0).frames)
                head = next(frames)  # what is wrong is said before a file begins
            return StreamingResponse(
                list_text.pieces(chain([head], frames), columns, form), headers=file_headers(f"{name}-{kind}", form)
            )
        page = min(max(1, number(given(request, "page"), 1)), PAGES)
        first = (page - 1) * ROWS
        rows, summary, problem = pl.DataFrame(), "", ""
        if listed:
            try:
                with self._queries.alone(folder):
                    result = listed(corpus, first + ROWS + 1)
                    rows, summary = pl.concat(result.frames), result.summary
            except CorpusprepError as error:
                problem = str(error)
        shown = rows.slice(first, ROWS)
        values = {
            **values,
            "attribute": asked.attribute,
            "ngrams": asked.ngrams if asked.ngrams > 1 else "",
            "pattern": asked.pattern,
            "least": asked.least if asked.least != LEAST[kind] else "",
            "where": asked.where,
            "in": asked.subcorpus,
        }
        more = rows.height > first + ROWS and page < PAGES
        command = [["corpusprep", kind, str(self._site.shown_folder(folder))], *options, *self._options(kind, asked)]
        return self._site.render(
            f"{kind}.html.j2",
            corpus=name,
            asked=asked,
            attributes=self._attributes(folder),
            longest=LONGEST_NGRAM,
            saved=list(saved(folder)),
            columns=columns,
            rows=[
                (row, found and hits_of(found))
                for row in shown.iter_rows(named=True)
                for found in [_query_of(str(row["item"]), asked)]
            ],
            summary=summary,
            first=first,
            earlier=query({**values, "page": page - 1}) if page > 1 else "",
            more=query({**values, "page": page + 1}) if more else "",
            files=[(form, query({**values, "format": form})) for form in list_text.FORMS] if listed else [],
            command=command_lines(command) if listed else "",
            problem=problem,
            back=query({**values, "where": ""})[1:],
            part=query({"where": asked.where, "in": asked.subcorpus})[1:],
            **own,
        )

    def _options(self, kind: str, asked: Asked) -> list[list[str]]:
        usual = "word" if kind == "words" else LOWER
        parts = [
            ["--attribute", asked.attribute if asked.attribute != usual else ""],
            ["--ngrams", str(asked.ngrams) if asked.ngrams > 1 else ""],
            ["--pattern", asked.pattern],
            ["--least", str(asked.least) if asked.least > 1 else ""],
            ["--where", asked.where],
            ["--in", asked.subcorpus],
            ["--columns", ",".join(self._site.columns) if len(self._site.columns) > 1 else ""],
        ]
        return [part for part in parts if part[1]]


def save_part(site: Site, request: Request, form: Mapping[str, str]) -> Response:
    """Saves a condition on documents under a name; leads back to the page, with the subcorpus of that name.

    Raises:
        ConfigError: the name is none.
        PatternError: the condition is wrong.
    """
    name, folder = site.corpus(request)
    page, subcorpus = form.get("page", ""), form.get("name", "").strip()
    if page not in (*LEAST, "concordance", "distribution"):
        raise HTTPException(404)
    save(folder, subcorpus, part_of(folder, form.get("where", "").strip(), None))
    back = dict(parse_qsl(form.get("back", ""))) | {"in": subcorpus}
    return RedirectResponse(site.address(name, page, **back), 303)


def _query_of(item: str, asked: Asked) -> str:
    """Returns the query that finds an item; empty if none does."""
    tokens = item.split(" ")
    if len(tokens) != asked.ngrams or "\\" in item:
        return ""
    values = (token.replace('"', '\\"') for token in tokens)
    return " ".join(f'[{asked.attribute}=="{value}"]' for value in values)


def _both(item: str, collocates: str, columns: Sequence[str]) -> str:
    """Returns the query of tokens that are an item and of other hits; that of the item alone if none is known."""
    both = f"{item.removesuffix(']')} & ({collocates[1:-1]})]"
    try:
        parse(both, columns)
    except PatternError:
        return item
    return both if collocates.startswith("[") and collocates.endswith("]") else item


def _together(node: str, item: str, left: int, right: int, columns: Sequence[str]) -> str:
    """Returns the query that finds an item in the window of a node; of one with conditions, that of the item."""
    # `[]{0,0}` is no query.
    before, behind = (f"[]{{0,{side - 1}}} " if side > 1 else "" for side in (left, right))
    sides = ((left, f"{item} {before}({node})"), (right, f"({node}) {behind}{item}"))
    both = " | ".join(sequence for side, sequence in sides if side)
    try:
        parse(both, columns)
    except PatternError:
        return item
    return both
