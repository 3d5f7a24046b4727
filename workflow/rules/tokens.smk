# Two commands in one job, since both take little: a thousand jobs fewer to plan for a thousand batches. Here and in
# other rules with two, `&& true` keeps the shell from becoming the second, whose times would then count the first's.
rule tokens:
    input:
        encoding=rules.encoding.output.table,
        pages=rules.boilerplate.output.pages,
        blocks=rules.boilerplate.output.blocks,
        model=model_path,
        rivals=rivals_folder,
        code=own_code_files("tokens", "tokenizer"),
    output:
        language="{folder}/language/{batch}.parquet",
        vertical="{folder}/tokens/{batch}.vert.zst",
        table="{folder}/tokens/{batch}.parquet",
        times_language="{folder}/times/language/{batch}.tsv",
        times="{folder}/times/tokens/{batch}.tsv",
    log:
        "{folder}/logs/tokens/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=batch_memory_mb,
        runtime=batch_runtime,
    params:
        rivals=rival_options,
        options=stage_options("language", without=["rivals"]),
        tokens=stage_options("tokens"),
    message:
        "Language and tokens of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "(corpusprep --times {output.times_language} language --boilerplate {input.blocks} --pages {input.pages}"
        " --model {input.model} {params.rivals} {params.options} --output {output.language}"
        " && corpusprep --times {output.times} tokens --encoding {input.encoding} --pages {input.pages}"
        " --boilerplate {input.blocks} --language-verdicts {output.language} --model {input.model} {params.tokens}"
        " --vertical {output.vertical} --output {output.table} && true) 2> {log}"
