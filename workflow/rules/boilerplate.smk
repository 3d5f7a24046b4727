rule boilerplate:
    input:
        archives=archives_of,
        encoding=rules.encoding.output.table,
        model=model_path,
        references=reference_tables,
        code=own_code_files("boilerplate", "algorithm"),
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
        options=stage_options("boilerplate"),
        references=references_options,
    message:
        "Boilerplate of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} boilerplate --encoding {input.encoding} --model {input.model}"
        " {params.options} {params.references} --pages {output.pages} --output {output.blocks} 2> {log}"


# For algorithms that compare the pages of a host: two pages a host, wherever in the corpus they are.
rule references_choose:
    input:
        encodings=each_batch("{folder}/encoding/{batch}.parquet"),
        plan=rules.batches.output.plan,
    output:
        chosen="{folder}/references/chosen.parquet",
        times="{folder}/times/boilerplate/references-choose.tsv",
    log:
        "{folder}/logs/boilerplate/references-choose.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=corpus_memory_mb,
        runtime=global_runtime,
    message:
        "Reference pages of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} references choose --batches {input.plan}"
        " --encodings {wildcards.folder:q}/encoding --output {output.chosen} 2> {log}"


rule references_gather:
    input:
        archives=archives_of,
        encoding=rules.encoding.output.table,
        chosen="{folder}/references/chosen.parquet",
    output:
        pages="{folder}/references/{batch}.parquet",
        times="{folder}/times/boilerplate/references-{batch}.tsv",
    log:
        "{folder}/logs/boilerplate/references-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    message:
        "Reference pages of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} references gather --encoding {input.encoding} --chosen {input.chosen}"
        " --output {output.pages} 2> {log}"
