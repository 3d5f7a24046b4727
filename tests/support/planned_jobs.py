"""The jobs that the workflow plans: run as a script, it writes them to standard output as JSON."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.running import REPOSITORY, write_config


@dataclass(frozen=True)
class PlannedJob:
    """A job of a dry run; paths are relative to the working directory."""

    rule: str
    wildcards: dict[str, str]
    input: list[str]
    output: list[str]
    temporary: list[str]
    log: list[str]
    resources: dict[str, Any]
    threads: int
    shell: str


def planned(
    folder: Path, config: dict[str, Any], *targets: str, tree: Path = REPOSITORY, packages: Sequence[Path] = ()
) -> list[PlannedJob]:
    """Plans the workflow in `folder`, in a process of its own; the default target if none is given.

    `tree` has another copy of the workflow and its package; `packages` are folders in which other packages are found.
    """
    path = write_config(folder, config)
    script = [sys.executable, __file__, str(tree / "Snakefile"), str(path), *targets]
    places = os.pathsep.join(map(str, [*packages, tree, REPOSITORY / "tests"]))
    environment = {"PYTHONPATH": places, "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [PlannedJob(**job) for job in json.loads(done.stdout)]


def write(snakefile: Path, config: Path, targets: list[str]) -> None:
    """Writes the jobs of a config."""
    from snakemake.api import SnakemakeApi
    from snakemake.io import is_flagged
    from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

    import corpusprep  # noqa: F401 -- the first on the path: the workflow would put its own copy last

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[config]),
            snakefile=snakefile,
        )
        workflow.dag(DAGSettings(targets=set(targets))).execute_workflow(executor="dryrun")
        jobs = [
            PlannedJob(
                job.rule.name,
                dict(job.wildcards_dict),
                list(map(str, job.input)),
                list(map(str, job.output)),
                [str(path) for path in job.output if is_flagged(path, "temp")],
                list(map(str, job.log)),
                {name: value for name, value in job.resources.items() if isinstance(value, int)},
                job.threads,
                job.shellcmd or "",
            ).__dict__
            for job in workflow._workflow.dag.jobs
        ]
    print(json.dumps(jobs))


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
