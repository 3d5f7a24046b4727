"""Run as a script: plans a run without each file or folder that is named; writes the outputs of its jobs as JSON."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def without(path: Path) -> Iterator[None]:
    """Takes a file or folder away for a while, if there is one."""
    there, aside = path.exists(), Path("aside")
    if there:
        path.rename(aside)
    yield
    if there:
        aside.rename(path)


def outputs_of_jobs(snakefile: Path, config: Path) -> list[str]:
    """Plans a run in the working directory; returns the outputs of its jobs."""
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

    import corpusprep  # noqa: F401 -- the first on the path: the workflow would put its own copy last

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[config]),
            snakefile=snakefile,
        )
        workflow.dag(DAGSettings()).execute_workflow(executor="dryrun")
        jobs = workflow._workflow.dag.needrun_jobs(exclude_finished=False)
        return [str(path) for job in jobs for path in job.output]


if __name__ == "__main__":
    found = {}
    for place in sys.argv[3:]:
        with without(Path(place)):
            found[place] = outputs_of_jobs(Path(sys.argv[1]), Path(sys.argv[2]))
    print(json.dumps(found))
