"""The jobs that the workflow plans: run as a script, it writes them to standard output as JSON."""

import json
import subprocess
import sys
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


def planned(folder: Path, config: dict[str, Any], *targets: str) -> list[PlannedJob]:
    """Plans the workflow in `folder`, in a process of its own; the default target if none is given."""
    path = write_config(folder, config)
    script = [sys.executable, __file__, str(path), *targets]
    environment = {"PYTHONPATH": str(REPOSITORY / "tests"), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [PlannedJob(**job) for job in json.loads(done.stdout)]


def write(config: Path, targets: list[str]) -> None:
    """Writes the jobs of a config."""
    from snakemake.api import SnakemakeApi
    from snakemake.io import is_flagged
    from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[config]),
            snakefile=REPOSITORY / "Snakefile",
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
    write(Path(sys.argv[1]), sys.argv[2:])
