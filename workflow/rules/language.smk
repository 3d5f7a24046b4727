rule language:
    input:
        blocks="{folder}/boilerplate/{batch}.parquet",
        pages="{folder}/pages/{batch}.parquet",
        model=model_path,
        rivals=rival_models,
    output:
        table="{folder}/language/{batch}.parquet",
        times="{folder}/times/language/{batch}.tsv",
    log:
        "{folder}/logs/language/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    params:
        rivals=lambda wildcards, input: flags({"rival": input.rivals}) or "--no-rivals",
        options=lambda wildcards: flags({k: v for k, v in section(wildcards, "language").items() if k != "rivals"}),
    message:
        "Language of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} language --boilerplate {input.blocks} --pages {input.pages}"
        " --model {input.model} {params.rivals} {params.options} --output {output.table} 2> {log}"
