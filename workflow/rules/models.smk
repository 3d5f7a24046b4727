# The language models: of built-in languages, and of those that the config makes from samples (`languages`).
rule language_model:
    input:
        lambda wildcards: samples(wildcards.code),
    output:
        "{results}/languages/{code}.model",
    log:
        "{results}/languages/logs/{code}.log",
    conda:
        ENVIRONMENT
    params:
        sample=lambda wildcards: sample_options(wildcards.code),
        # A model of another version or description is made again.
        made_by=lambda wildcards: languages.fingerprint(wildcards.code),
    message:
        "Language model of {wildcards.code}"
    shell:
        "corpusprep language make {wildcards.code:q} {params.sample} --output {output:q} 2> {log:q}"


# The models of the rival languages of a corpus, in one folder: as separate inputs of each of a thousand batches, they
# would make planning a tenth longer.
rule rivals:
    input:
        rival_models,
    output:
        directory("{folder}/rivals"),
    log:
        "{folder}/logs/rivals.log",
    conda:
        ENVIRONMENT
    message:
        "Rivals of the language of {wildcards.folder}"
    shell:
        "(mkdir -- {output:q} && cp -- {input:q} {output:q}) 2> {log:q}"
