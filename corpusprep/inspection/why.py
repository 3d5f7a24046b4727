"""Says why a page is in the corpus or not: its whole path through the stages, from what they have stored."""

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from corpusprep.errors import StageFileError
from corpusprep.inspection import records
from corpusprep.inspection.records import NotFoundError, RecordKey
from corpusprep.inspection.story import BlockStory, Encodings, Language, Other, PageStory, Place, Verdict
from corpusprep.io.files import zstd_chunks
from corpusprep.languages.dividing import read_division
from corpusprep.pipeline import DECIDING, DECIDING_BEFORE_TOKENS
from corpusprep.statistics.crawl_languages import SMALL
from corpusprep.tables import schemas
from corpusprep.tables.batch_files import BatchFiles, corpus_file
from corpusprep.tables.crawl_files import division_file, found_file, is_crawl, language_folders
from corpusprep.tables.verdicts import (
    BLOCK_VERDICTS,
    DIVISION_REASONS,
    DOCUMENT_VERDICTS,
    EMPTIED_REASONS,
    KEPT,
    MARKED_REASONS,
    NEAR,
    RECORD_REASONS,
    STAYING,
    WHOLE,
)
from corpusprep.text.vertical import attributes

#: What the brief name of the error is in the public interface.
NotFound = NotFoundError

_TABLES = {
    "pages": schemas.PAGES,
    "boilerplate": schemas.BOILERPLATE,
    "language": schemas.LANGUAGE,
    "tokens": schemas.TOKENS,
    "documents": schemas.DOCUMENTS,
    "blocks": schemas.BLOCKS,
    "quality": schemas.QUALITY,
    **dict.fromkeys(DECIDING_BEFORE_TOKENS, pl.Schema({"record": pl.UInt32, "verdict": pl.String})),
}
#: The end of a document in a vertical.
_END = b"\n</doc>\n"
_LEFT_OUT, _AGAINST = "foreign_block", "against"
_UNFINISHED = Verdict(kept=False, stage="", reason="unfinished", meaning="a stage has not run on it yet")
_IN_CORPUS = Verdict(kept=True, stage="", reason=KEPT, meaning="in the corpus")


def explain(corpus_dir: Path, wanted: str, *, sources: bool = False) -> list[PageStory]:
    """Returns what is known about a page: one story per crawl of its URL, in the order of their dates.

    For a crawl of several languages, each corpus that the page went to has a story.

    Args:
        corpus_dir: the folder of the corpus, such as results/news, or of a crawl of several languages.
        wanted: a URL, a document identifier, or `archive:offset` or `archive:record-id`.
        sources: whether to find the earlier documents that have n-grams of its blocks. This reads the text of the
            whole corpus (sources.find_sources).

    Raises:
        NotFoundError: the corpus has no such record; names the nearest addresses.
        StageFileError: there is no corpus, or a file of it is damaged or of another version.
    """
    if is_crawl(corpus_dir):
        return sorted(_stories_of_crawl(corpus_dir, wanted, sources=sources), key=lambda story: story.date)
    keys = records.find(corpus_dir, wanted)
    stories = [_story(corpus_dir, key, sources=sources) for key in keys]
    return sorted(stories, key=lambda story: (story.date, story.batch, story.record))


def _stories_of_crawl(crawl: Path, wanted: str, *, sources: bool) -> list[PageStory]:
    """Returns the stories of a page in the corpora of a crawl; in the crawl itself, if it went to none of them."""
    corpora = {folder.name: folder for folder in language_folders(crawl)}
    if records.is_document_id(wanted):
        for folder in corpora.values():
            with contextlib.suppress(NotFoundError):
                return [_in_language(story, folder) for story in explain(folder, wanted, sources=sources)]
        raise NotFoundError(f"{crawl}: no document with the identifier {wanted}")
    stories = []
    for key in sorted(records.find(crawl, wanted)):
        portions = _rows(found_file(crawl, key.batch), schemas.FOUND, key.record) or []
        codes = dict.fromkeys(code for row in portions if (code := row["corpus"]) in corpora)
        about = _row(BatchFiles.of(crawl, key.batch).encoding, schemas.ENCODING, key.record)
        if about is None or not codes:
            stories.append(_story(crawl, key, sources=False, rest=_rest(crawl, portions)))
            continue
        place = f"{about['archive']}:{about['offset']}"  # batches of a language have names of their own
        for code in codes:
            of_corpus = explain(corpora[code], place, sources=sources)
            stories += [_in_language(story, corpora[code]) for story in of_corpus]
    return stories


def _rest(crawl: Path, portions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Returns the row of a crawl's page that is in none of its corpora; that of a small language with this reason."""
    if not portions:
        return None
    row = portions[0]
    divided = row["corpus"] and division_file(crawl).exists()
    return {**row, "rest": SMALL} if divided and row["corpus"] not in read_division(crawl) else row


def _in_language(story: PageStory, folder: Path) -> PageStory:
    return dataclasses.replace(story, notes=(*story.notes, f"the page went to {folder}, the corpus of its language"))


def other(corpus_dir: Path, document_id: str) -> Other:
    """Returns a document by its identifier.

    Raises:
        NotFoundError: the corpus has no such document.
        StageFileError: a file is missing, damaged or of another version.
    """
    key = records.document(corpus_dir, document_id)
    row = _row(BatchFiles.of(corpus_dir, key.batch).encoding, schemas.ENCODING, key.record) or {}
    return Other(document_id, row.get("url") or "", row.get("date") or "", key.batch, key.record)


def _kept_instead(corpus_dir: Path, document_id: str, notes: list[str]) -> Other:
    try:
        return other(corpus_dir, document_id)
    except NotFoundError as error:
        notes.append(f"{error}; the stage files are from different runs")
        return Other(document_id, "", "", "", 0)


def _near_duplicate_of(
    corpus_dir: Path, key: RecordKey, blocks: Sequence[Mapping[str, Any]] | None, notes: list[str]
) -> tuple[Other, float] | None:
    """Returns the document that stays of the near-duplicates that a record is one of."""
    if not blocks or blocks[0]["verdict"] not in NEAR:
        return None
    of_record = (pl.col("batch") == key.batch) & (pl.col("record") == key.record)
    rows = records.rows_where(corpus_file(corpus_dir, "clusters"), ["representative", "share"], of_record).rows()
    return (_kept_instead(corpus_dir, rows[0][0], notes), rows[0][1]) if rows else None


def _rows(path: Path, schema: pl.Schema, record: int) -> list[dict[str, Any]] | None:
    """Returns the rows of a record in the table of a stage; None if the stage has not run."""
    if not path.exists():
        if path.is_symlink():  # into a finished corpus that is packed or gone
            raise StageFileError.missing(path)
        return None
    return records.rows_where(path, schema, pl.col("record") == record).to_dicts()


def _row(path: Path, schema: pl.Schema, record: int) -> dict[str, Any] | None:
    rows = _rows(path, schema, record)
    return rows[0] if rows else None


def _story(corpus_dir: Path, key: RecordKey, *, sources: bool, rest: Mapping[str, Any] | None = None) -> PageStory:
    """Returns the story of a record; `rest` is the row of a crawl's page that went to no corpus."""
    files = BatchFiles.of(corpus_dir, key.batch)
    about = _row(files.encoding, schemas.ENCODING, key.record)
    if about is None:
        raise StageFileError(f"{files.encoding}: has no record {key.record}; run `corpusprep step index` again")
    rows_of_stage = {stage: _rows(getattr(files, stage), schema, key.record) for stage, schema in _TABLES.items()}
    first = {stage: rows[0] if rows else None for stage, rows in rows_of_stage.items()}
    divided = _of_rest(rest) if rest and rest["rest"] in DIVISION_REASONS else None
    notes = [] if rest else _notes(files, about, rows_of_stage)
    refused = _refused(first["quality"])
    verdict = divided or _page_verdict(about, first, rows_of_stage["blocks"])
    if refused and verdict.kept:
        verdict = refused
        notes.append(f"the filter by quality refuses it: {'; '.join((first['quality'] or {})['failed'])}")
    blocks = _blocks(rows_of_stage, first)
    out = _left_out(first["quality"])
    blocks = [dataclasses.replace(block, verdict=out.get(block.number, block.verdict)) for block in blocks]
    if refused:
        blocks = [dataclasses.replace(block, verdict=refused) if block.verdict.kept else block for block in blocks]
    if divided:
        blocks = [
            dataclasses.replace(block_story, verdict=divided) if block_story.verdict == _UNFINISHED else block_story
            for block_story in blocks
        ]
    place = None
    if verdict.kept and first["tokens"]:
        place, marked = _place(corpus_dir, files, first["tokens"]["id"])
        blocks = [_marked(block) if block.number in marked else block for block in blocks]
        if not place.file:
            notes.append("the vertical of its batch is not in corpus/; look for the identifier in the other formats")
    if sources:
        from corpusprep.inspection.sources import (
            find_sources,  # with NumPy, which takes a fifth of the time of an answer
        )

        blocks = find_sources(corpus_dir, key, blocks)
    language, tokens = first["language"], first["tokens"]
    duplicate_of = (first["documents"] or {}).get("duplicate_of")
    return PageStory(
        corpus=corpus_dir.name,
        batch=key.batch,
        record=key.record,
        archive=about["archive"] or "",
        offset=about["offset"] or 0,
        length=about["length"] or 0,
        record_id=about["record_id"] or "",
        record_type=about["record_type"] or "",
        mended=bool(about["mended"]),
        truncated=bool(about["truncated"]),
        url=about["url"] or "",
        host=about["host"] or "",
        date=about["date"] or "",
        status=about["status"],
        content_type=about["content_type"] or "",
        payload_bytes=about["payload_bytes"] or 0,
        encodings=Encodings(
            http=about["declared_http"] or "",
            meta=about["declared_meta"] or "",
            bom=about["declared_bom"] or "",
            detected=about["detected"] or "",
            score=about["detected_score"],
            used=about["encoding"] or "",
        ),
        title=(first["pages"] or {}).get("title") or "",
        rights=(first["pages"] or {}).get("rights") or "",
        words=sum(block.words for block in blocks),
        kept_words=sum(block.words for block in blocks if block.verdict.kept),
        verdict=verdict,
        language=None
        if language is None
        else Language(language["lang"] or "", language["score"], language["rival"] or "", language["rival_score"]),
        document_id=tokens["id"] if tokens else "",
        duplicate_of=_kept_instead(corpus_dir, duplicate_of, notes) if duplicate_of else None,
        near_duplicate_of=_near_duplicate_of(corpus_dir, key, rows_of_stage["blocks"], notes),
        place=place,
        blocks=tuple(blocks),
        notes=tuple(notes),
    )


def _notes(files: BatchFiles, about: Mapping[str, Any], stage_rows: Mapping[str, Sequence[Any] | None]) -> list[str]:
    """Says which stages have not run."""
    if about["verdict"] != KEPT:
        return []
    names = {"pages": "boilerplate"}
    missing = [names.get(stage, stage) for stage, rows in stage_rows.items() if rows is None and stage != "quality"]
    if not missing:
        return []
    return [
        f"half built: batch {files.batch} has no files of {', '.join(dict.fromkeys(missing))} yet; run the workflow"
    ]


def _page_verdict(
    about: Mapping[str, Any], first: Mapping[str, Mapping[str, Any] | None], blocks: Sequence[Mapping[str, Any]] | None
) -> Verdict:
    if about["verdict"] != KEPT:
        return Verdict(False, "encoding", about["verdict"], RECORD_REASONS.get(about["verdict"], ""))
    for stage in DECIDING[: DECIDING.index("blocks")]:
        row = first["pages" if stage == "boilerplate" else stage]
        if row is None:
            return _UNFINISHED
        if row["verdict"] != KEPT:
            return Verdict(False, stage, row["verdict"], DOCUMENT_VERDICTS[stage].get(row["verdict"], ""))
    if blocks is None:
        return _UNFINISHED
    verdicts = [row["verdict"] for row in blocks]
    whole = next((verdict for verdict in verdicts if verdict in WHOLE), None)
    if whole in STAYING:
        return Verdict(True, "", str(whole), MARKED_REASONS[str(whole)])
    if any(verdict in STAYING for verdict in verdicts):
        return _IN_CORPUS
    reason = whole or next(iter(EMPTIED_REASONS))
    return Verdict(False, "blocks", reason, EMPTIED_REASONS[reason])


def _refused(row: Mapping[str, Any] | None) -> Verdict | None:
    """Returns the verdict of `quality` on a document that it refuses."""
    return _removed("quality", row["verdict"]) if row and row["verdict"] != KEPT else None


def _left_out(row: Mapping[str, Any] | None) -> dict[int, Verdict]:
    """Returns the verdicts of `quality` on single blocks of a document."""
    return (
        {number: _removed("quality", by) for number, by in zip(row["left_out"], row["left_out_by"], strict=True)}
        if row
        else {}
    )


def _of_rest(row: Mapping[str, Any]) -> Verdict:
    """Returns the verdict on a page of a crawl that is in none of its corpora."""
    language = f" ({row['language']})" if row["language"] else ""
    return Verdict(False, "languages", row["rest"], DIVISION_REASONS[row["rest"]] + language)


def _blocks(
    rows: Mapping[str, Sequence[Mapping[str, Any]] | None], first: Mapping[str, Mapping[str, Any] | None]
) -> list[BlockStory]:
    """Returns the blocks of a page, in its order."""
    last = {row["block"]: row for row in rows["blocks"] or ()}
    language = first["language"] or {}
    left_out = dict.fromkeys(language.get("left_out") or (), _LEFT_OUT)
    left_out |= dict.fromkeys(language.get("against") or (), _AGAINST)
    blocks = []
    for row in sorted(rows["boilerplate"] or (), key=lambda block_row: block_row["block"]):
        number = row["block"]
        decided = last.get(number)
        counted, covered = (decided["counted_tokens"], decided["covered_tokens"]) if decided else (None, None)
        covered = None if decided and decided["verdict"] in NEAR else covered  # nobody has looked
        blocks.append(
            BlockStory(
                number=number,
                tag=row["tag"] or "",
                heading=bool(row["heading"]),
                text=row["text"] or "",
                words=row["words"] or 0,
                link_density=row["link_density"],
                stopword_density=row["stopword_density"],
                score=None if row["score"] is None else row["score"] / 1000,
                kind=row["kind"] or "",
                context_free=row["context_free_label"] or "",
                label=row["label"] or "",
                verdict=_block_verdict(row, first, decided, left_out.get(number)),
                tokens=decided["tokens"] if decided else None,
                counted_tokens=counted,
                covered_tokens=covered,
                covered_share=covered / counted if counted and covered is not None else None,
            )
        )
    return blocks


def _block_verdict(
    row: Mapping[str, Any],
    first: Mapping[str, Mapping[str, Any] | None],
    decided: Mapping[str, Any] | None,
    left_out: str | None,
) -> Verdict:
    if row["verdict"] != KEPT:
        return _removed("boilerplate", row["verdict"])
    for stage in DECIDING[1 : DECIDING.index("blocks")]:
        of_document = first[stage]
        if of_document is None:
            return _UNFINISHED
        if of_document["verdict"] != KEPT:
            return _removed(stage, of_document["verdict"])
        if stage == "language" and left_out:
            return _removed(stage, left_out)
    if decided is None:
        return _UNFINISHED
    if decided["verdict"] == KEPT:
        return _IN_CORPUS
    if decided["verdict"] in STAYING:
        return Verdict(True, "", decided["verdict"], MARKED_REASONS[decided["verdict"]])
    return _removed("blocks", decided["verdict"])


def _removed(stage: str, reason: str) -> Verdict:
    return Verdict(False, stage, reason, BLOCK_VERDICTS[stage].get(reason, ""))


def _marked(block: BlockStory) -> BlockStory:
    """Returns a block of boilerplate that is in the corpus, because the corpus keeps boilerplate."""
    verdict = Verdict(True, "", block.verdict.reason, f"in the corpus, and marked: {block.verdict.meaning}")
    return dataclasses.replace(block, verdict=verdict)


def _place(corpus_dir: Path, files: BatchFiles, document_id: str) -> tuple[Place, set[int]]:
    """Returns where a document is in the vertical of its batch, and the numbers of its blocks of boilerplate there."""
    path = files.corpus_vertical
    if not path.exists():
        return Place(document_id, "", 0, 0, 0), set()
    wanted = f'<doc id="{document_id}"'.encode()
    line, rest, reached = 1, bytearray(), False  # bytes would be copied with each chunk
    for chunk in zstd_chunks(path):
        searched = max(0, len(rest) - len(_END) + 1)
        rest += chunk
        if not reached:
            place = 0 if rest.startswith(wanted) else rest.find(b"\n" + wanted) + 1
            if not place and not rest.startswith(wanted):
                kept = max(0, len(rest) - len(wanted) - 1)
                line += rest.count(b"\n", 0, kept)
                del rest[:kept]
                continue
            line += rest.count(b"\n", 0, place)
            del rest[:place]
            reached, searched = True, 0
        if rest.find(_END, searched) >= 0:
            break
    if not reached:
        raise StageFileError(f"{path}: has no document {document_id}; run the workflow again")
    lines = rest[: rest.index(_END)].decode("utf-8", "replace").split("\n")
    about = attributes(lines[0])
    paragraphs = [attributes(line_text) for line_text in lines if line_text.startswith("<p ")]
    marked = {int(line_text["block"]) for line_text in paragraphs if line_text.get("boilerplate") == "1"}
    file = str(path.relative_to(corpus_dir))
    return Place(document_id, file, line, int(about["words"]), int(about["tokens"])), marked
