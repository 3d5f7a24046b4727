rule encoding:
    input:
        archives=archives_of,
        model=model_path,
    output:
        table="{folder}/encoding/{batch}.parquet",
        times="{folder}/times/encoding/{batch}.tsv",
    log:
        "{folder}/logs/encoding/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    params:
        archives=archive_options,
        options=stage_options("encoding", content_types="content-type"),
    message:
        "Encoding of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} encoding --batch {wildcards.batch} {params.archives}"
        " --model {input.model} {params.options} --output {output.table} 2> {log}"
