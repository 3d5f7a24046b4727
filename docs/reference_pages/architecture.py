"""Parts of the page on architecture: layers and steps."""

import importlib
import tomllib

from corpusprep import pipeline
from reference_pages import REPOSITORY
from reference_pages.markdown import code, table


def layers() -> str:
    """Returns the layers of the import contract, with what each subpackage is for."""
    tools = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    rows = []
    for layer in tools["importlinter"]["contracts"][0]["layers"]:
        for name in layer.split(" | "):
            module = importlib.import_module(f"corpusprep.{name}") if name != "__main__" else None
            text = (module.__doc__ or "") if module else "`python -m corpusprep`."
            rows.append([code(name), " ".join(text.strip().partition("\n\n")[0].split())])
    return table(["layer", "what it holds"], rows)


def steps() -> str:
    """Returns the steps of the pipeline, with the files that they read and write."""
    rows = []
    for step in pipeline.STEPS.values():
        reads, writes = (
            ", ".join(code(pipeline.FILES[name].pattern.replace("{", "<").replace("}", ">")) for name in names)
            for names in ((*step.reads, *step.implied), step.writes)
        )
        writes += " (temporary)" if pipeline.is_temporary(step) else ""
        rows.append([code(step.name), step.sentence, step.scope.value, reads, writes])
    return table(["step", "what it does", "works on", "reads", "writes"], rows)
