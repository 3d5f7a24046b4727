"""`corpusprep show` of what is not there: one line that says what to do."""

from pathlib import Path

import pytest

from corpusprep.errors import StageFileError
from corpusprep.report.size_table import size_table


def test_a_folder_without_the_table(tmp_path: Path) -> None:
    """A folder that is not there, is no corpus's, or is that of a corpus whose statistics were removed."""
    with pytest.raises(StageFileError, match=r"news: no such folder; give a corpus folder, such as results/news$"):
        size_table(tmp_path / "news")
    with pytest.raises(StageFileError, match=r"^results/nix: no such folder; .* such as results/news$"):
        size_table(Path("results/nix"))
    with pytest.raises(StageFileError, match=r"not the folder of a corpus, which has batches\.tsv"):
        size_table(tmp_path)
    (tmp_path / "batches.tsv").touch()
    with pytest.raises(StageFileError, match=r"corpus_size\.tsv: no such file; run the workflow with the config"):
        size_table(tmp_path)
