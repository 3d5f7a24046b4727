# corpusprep: web archives to clean, de-duplicated corpora. `snakemake --cores all` builds the sample;
# `snakemake --cores all --configfile my.yaml` builds yours, from any working directory (-s this file).
from snakemake.utils import min_version

min_version("9.3")


if "corpora" not in config:
    configfile: workflow.current_basedir.join("config/config.yaml").get_path_or_uri(secret_free=False)


include: "workflow/rules/common.smk"


# One file per stage or target.
for path in sorted(Path(workflow.basedir, "workflow", "rules").glob("*.smk")):
    if path.stem != "common":
        include: str(path)


# Seconds of work, on the machine that runs the workflow: a job of a cluster would cost more.
localrules:
    all,
    batches,
    language_model,
    languages,
    overview,
    rivals,
    summary,


onstart:
    begin()


rule all:
    default_target: True
    input:
        refuse if PROBLEM else all_files,
        [] if PROBLEM else rules.overview.output,
        summaries,
