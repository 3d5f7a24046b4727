"""The jobs that the workflow plans: run as a script, it writes them to standard output as JSON."""

import json
import os
import re
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
    params: dict[str, str]
    message: str
    names: dict[str, list[str]]  # of inputs and outputs
    template: str  # the shell command of the rule, with its placeholders
    sentence: str

    def as_rule(self) -> str:
        """The job as the rule that a reader of Snakemake would write for it; its wildcards stand for their values."""
        named = {name: paths for name, paths in self.names.items() if paths}
        ends = dict.fromkeys(self.output, True)
        inputs = {name: paths for name, paths in named.items() if not ends.get(paths[0])}
        outputs = {name: paths for name, paths in named.items() if ends.get(paths[0])}
        parts = {"input": inputs, "output": outputs, "log": {"": self.log}, "threads": self.threads}
        parts |= {"resources": {name: self.resources[name] for name in ("mem_mb", "runtime", "places")}}
        parts |= {"params": self.params, "message": {"": self.message}, "shell": {"": self.template}}
        lines = [f"rule {self.rule}:", f'    """{self.sentence}"""']
        for part, items in parts.items():
            if not isinstance(items, dict):
                lines.append(f"    {part}: {items}")
                continue
            lines.append(f"    {part}:")
            for name, value in items.items():
                alone = value[0] if isinstance(value, list) and len(value) == 1 else value
                *first, last = re.split(r"(?<=&& )|(?= \|\| \{\{)|(?<=MB\); )", alone) if part == "shell" else [alone]
                lines += [f"        {json.dumps(text)}" for text in first]
                lines.append(f"        {name}{'=' if name else ''}{json.dumps(last)},")
        text = "\n".join(lines)
        for name in ("batch", "folder"):
            text = text.replace(self.wildcards[name], f"{{{name}}}")
        return text + "\n"


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
                {str(name): str(value) for name, value in job.params.items()},
                job.message or "",
                {
                    name: [value] if isinstance(value, str) else list(value)
                    for files in (job.input, job.output)
                    for name, value in files.items()
                },
                job.rule.shellcmd or "",
                job.rule.docstring or "",
            ).__dict__
            for job in workflow._workflow.dag.jobs
        ]
    print(json.dumps(jobs))


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
