rule tokens:
    input:
        encoding="{folder}/encoding/{batch}.parquet",
        pages="{folder}/pages/{batch}.parquet",
        blocks="{folder}/boilerplate/{batch}.parquet",
        language="{folder}/language/{batch}.parquet",
        model=model_path,
    output:
        vertical="{folder}/tokens/{batch}.vert.zst",
        table="{folder}/tokens/{batch}.parquet",
        times="{folder}/times/tokens/{batch}.tsv",
    log:
        "{folder}/logs/tokens/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    message:
        "Tokens of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} tokens --encoding {input.encoding} --pages {input.pages}"
        " --boilerplate {input.blocks} --language-verdicts {input.language} --model {input.model}"
        " --vertical {output.vertical} --output {output.table} 2> {log}"
