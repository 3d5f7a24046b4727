# corpusprep: web archives to clean, de-duplicated corpora. `snakemake --cores all` builds the sample;
# `snakemake --cores all --configfile my.yaml` builds yours, from any working directory (-s this file).
from snakemake.utils import min_version

min_version("9.3")


if "corpora" not in config:
    configfile: workflow.current_basedir.join("config/config.yaml").get_path_or_uri(secret_free=False)


# What rules share; none of it makes a file.
include: "workflow/helpers/corpora.smk"
include: "workflow/helpers/inputs.smk"
include: "workflow/helpers/declared.smk"
include: "workflow/helpers/running.smk"


# One file per stage or target.
for path in sorted(Path(workflow.basedir, "workflow", "rules").glob("*.smk")):
    if is_needed(path):
        include: str(path)


# The published studies: targets of their own.
include: "studies/Snakefile"


onstart:
    begin()


onsuccess:
    end()


if JOB_RULES is None:
    # Seconds of work, on the machine that runs the workflow: a job of a cluster would cost more.
    localrules:
        all,
        batches,
        crawl_models,
        crawl_report,
        crawl_summary,
        language_model,
        languages_batches,
        languages_divide,
        overview,
        rivals,
        summary,

    rule all:
        default_target: True
        input:
            refuse if PROBLEM else all_files,
            [] if PROBLEM else rules.overview.output,
            summaries,
