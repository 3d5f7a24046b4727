"""Archives on servers are no input files of jobs, but options: Snakemake would look for files."""

from pathlib import Path

from support.archives import PROSE, warc_record
from support.file_server import serving
from support.planned_jobs import PlannedJob, planned


def test_jobs_name_addresses_as_options(tmp_path: Path) -> None:
    """Local archives of the same batch are inputs; an archive that has changed makes another batch."""
    (tmp_path / "here.warc.gz").write_bytes(warc_record("https://a.example/1", PROSE.encode()))
    with serving({"/x.warc.gz": warc_record("https://a.example/2", PROSE.encode())}) as server:
        address = f"{server.url}/x.warc.gz"
        corpus = {"language": "en", "archives": ["here.warc.gz", address]}
        config = {"corpora": {"c": corpus}, "boilerplate": {"algorithm": "justext"}}
        before = jobs(tmp_path, config)
        for name in ("batches", "encoding"):
            assert f"--archive {address}" in before[name].shell
            assert "--archive here.warc.gz" in before[name].shell
        for job in before.values():
            assert not any("://" in path for path in job.input)
        assert "here.warc.gz" in before["boilerplate"].input
        server.files["/x.warc.gz"] = server.files["/x.warc.gz"][::-1]
        after = jobs(tmp_path, config)
    assert after["encoding"].wildcards != before["encoding"].wildcards


def jobs(folder: Path, config: dict) -> dict[str, PlannedJob]:
    """The jobs of a corpus, by rule."""
    return {job.rule: job for job in planned(folder, config)}
