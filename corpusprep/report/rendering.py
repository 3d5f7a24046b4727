"""Renders HTML pages from templates: the environment that all pages of the project share."""

from importlib import resources

import jinja2
from markupsafe import Markup

from corpusprep import __version__
from corpusprep.io import readable as numbers
from corpusprep.io.installation import software


def environment(*packages: str) -> jinja2.Environment:
    """Returns an environment for the templates of `packages` and the one that all pages share (`base.html.j2`).

    Every template can use the style sheet `style`, the version `version`, the versions of all libraries
    `software()`, and the filters `thousands` and `shown(MOST_CHARACTERS)`.
    """
    folders = [resources.files(package) for package in (*packages, "corpusprep.report")]

    def load(name: str) -> str | None:
        template_file = next((folder.joinpath(name) for folder in folders if folder.joinpath(name).is_file()), None)
        return template_file.read_text(encoding="utf-8") if template_file else None

    made = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FunctionLoader(load),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["thousands"] = numbers.thousands
    made.filters["shown"] = numbers.printable
    made.globals["style"] = Markup(
        resources.files("corpusprep.report").joinpath("report.css").read_text(encoding="utf-8")
    )
    made.globals["version"] = __version__
    made.globals["software"] = software  # a function: only the report of a corpus calls it
    return made
