rule boilerplate:
    input:
        archives=archives_of,
        encoding="{folder}/encoding/{batch}.parquet",
        model=model_path,
    output:
        blocks="{folder}/boilerplate/{batch}.parquet",
        pages="{folder}/pages/{batch}.parquet",
        times="{folder}/times/boilerplate/{batch}.tsv",
    log:
        "{folder}/logs/boilerplate/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    params:
        options=lambda wildcards: flags(section(wildcards, "boilerplate")),
    message:
        "Boilerplate of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} boilerplate --encoding {input.encoding} --model {input.model}"
        " {params.options} --pages {output.pages} --output {output.blocks} 2> {log}"
