"""The folders of a crawl of several languages."""

from pathlib import Path

import pytest

from corpusprep.errors import StageFileError
from corpusprep.tables.crawl_files import division_file, language_folders, refuse_crawl


def test_where_a_corpus_is_needed_a_crawl_is_refused(tmp_path: Path) -> None:
    """The error names the folder of a language, or what makes one; a corpus is let through."""
    refuse_crawl(tmp_path)
    division_file(tmp_path).touch()
    with pytest.raises(StageFileError, match="a crawl of several languages; run the workflow"):
        refuse_crawl(tmp_path)
    for name in ("en", "cs", "found"):
        (tmp_path / name).mkdir()
    for name in ("en", "cs"):
        (tmp_path / name / "batches.tsv").touch()
    assert language_folders(tmp_path) == [tmp_path / "cs", tmp_path / "en"]
    with pytest.raises(StageFileError, match=rf"a crawl of several languages; give .* such as {tmp_path}/cs$"):
        refuse_crawl(tmp_path)
