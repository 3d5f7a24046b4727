"""`corpusprep doctor`: what an installation has, and what it lacks."""

import sys

import click

from corpusprep.io import installation


@click.command("doctor")
def command() -> None:
    """Say what this installation has, and what would fail: versions, extras, processor, memory, disks.

    The exit code is 1 if runs of the workflow would fail here.
    """
    found = installation.examine()
    click.echo("\n".join(found.lines))
    if found.faults:
        click.echo("\nWhat would fail:\n" + "\n".join(f"  {line}" for line in found.faults))
    sys.exit(1 if found.fatal else 0)
