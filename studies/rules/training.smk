"""Models of learned cleaners: `snakemake --cores all models` trains those that come with the package again."""
# As in evaluation.smk, `snakemake --lint` remarks that the folder of the gold sets is a param: the commands take a folder.

from corpusprep.gold.data import ALSO_TRAINED, SEEDS, TRAINED_ON, WITHOUT_MEMBERS

from studies.schaefer_2017.vectors import LANGUAGES as TEXREX_LANGUAGES
from studies.schaefer_2017.vectors import stored as texrex_vectors

MODELS = f"{RESULTS}/models"
# Model -> the part of texrex's vectors that it is trained on: all languages, or one.
TEXREX_MODELS = {"texrex": ""} | {f"texrex-{code}": f":{code}" for code in TEXREX_LANGUAGES}


localrules:
    models,


rule models:
    input:
        expand(f"{MODELS}/{{model}}.model", model=[*TRAINED_ON, *ALSO_TRAINED, *TEXREX_MODELS]),


rule content_model:
    input:
        lambda wildcards: stored_files(GOLD_DATA, TRAINED_ON[wildcards.model]),
    output:
        model=f"{MODELS}/{{model}}.model",
        pages=f"{MODELS}/{{model}}.pages.tsv",
    log:
        f"{MODELS}/logs/{{model}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        model="|".join(TRAINED_ON),
    params:
        data=GOLD_DATA,
        gold=lambda wildcards: " ".join(f"--gold {name}" for name in TRAINED_ON[wildcards.model]),
        seed=lambda wildcards: SEEDS[wildcards.model],
        members=lambda wildcards: "--no-members" if wildcards.model in WITHOUT_MEMBERS else "--members",
    message:
        "Training of {wildcards.model}"
    shell:
        "corpusprep train content {params.gold} --data {params.data:q} --seed {params.seed} {params.members}"
        " --output {output.model:q} 2> {log:q}"


rule cleaner_model:
    input:
        lambda wildcards: stored_files(GOLD_DATA, ALSO_TRAINED[wildcards.model][1]),
    output:
        model=f"{MODELS}/{{model}}.model",
        pages=f"{MODELS}/{{model}}.pages.tsv",
    log:
        f"{MODELS}/logs/{{model}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        model="|".join(ALSO_TRAINED),
    params:
        data=GOLD_DATA,
        how=lambda wildcards: ALSO_TRAINED[wildcards.model][0],
        gold=lambda wildcards: " ".join(f"--gold {name}" for name in ALSO_TRAINED[wildcards.model][1]),
    message:
        "Training of {wildcards.model}"
    shell:
        "corpusprep train {params.how} {params.gold} --data {params.data:q} --output {output.model:q} 2> {log:q}"


rule texrex_model:
    input:
        [str(path) for path in [texrex_vectors(Path(GOLD_DATA))] if path],
    output:
        f"{MODELS}/{{model}}.model",
    log:
        f"{MODELS}/logs/{{model}}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        model="|".join(TEXREX_MODELS),
    params:
        data=GOLD_DATA,
        gold=lambda wildcards: f"texrex-blocks{TEXREX_MODELS[wildcards.model]}",
    message:
        "Training of {wildcards.model}"
    shell:
        "corpusprep studies texrex train --gold {params.gold:q} --data {params.data:q} --output {output:q} 2> {log:q}"
