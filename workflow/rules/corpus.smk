# Applies the verdicts on blocks, writes the corpus, and counts what the batch adds to the statistics, in one job: they
# need nothing else, and every job more is one more to plan, for each batch.
rule corpus:
    input:
        encoding=rules.encoding.output.table,
        pages=rules.boilerplate.output.pages,
        boilerplate=rules.boilerplate.output.blocks,
        language=rules.tokens.output.language,
        tokens=rules.tokens.output.table,
        vertical=rules.tokens.output.vertical,
        verdicts=rules.blocks_verdicts.output.verdicts,
        matches=matches_folder,
    output:
        blocks="{folder}/blocks/{batch}.parquet",
        **corpus_outputs(),
        counts="{folder}/counts/{batch}.parquet",
        samples="{folder}/samples/{batch}.parquet",
        times_blocks="{folder}/times/blocks/apply-{batch}.tsv",
        times="{folder}/times/corpus/{batch}.tsv",
        times_counts="{folder}/times/statistics/count-{batch}.tsv",
    log:
        "{folder}/logs/corpus/{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=blocks_memory_mb,
        runtime=batch_runtime,
    params:
        # No input by itself, but of the matches: otherwise Snakemake would compare it, for each of a thousand batches,
        # with each of the thousand inputs of `documents`.
        documents=documents_folder,
        boilerplate=stage_options("boilerplate"),
        memory=memory,
        outputs=lambda wildcards, output: flags({f"output-{name}": output[name] for name in corpus_outputs()}),
    message:
        "Corpus of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "(corpusprep --times {output.times_blocks} blocks apply --verdicts {input.verdicts}/{wildcards.batch}.verdicts"
        " --matches {input.matches}/{wildcards.batch}.matches --tokens {input.tokens} --boilerplate {input.boilerplate}"
        " --documents {params.documents}/{wildcards.batch}.parquet --memory {params.memory:q} --output {output.blocks}"
        " && corpusprep --times {output.times} corpus --encoding {input.encoding} --pages {input.pages}"
        " --boilerplate {input.boilerplate} --language-verdicts {input.language} --tokens {input.tokens}"
        " --vertical {input.vertical} --documents {params.documents}/{wildcards.batch}.parquet --blocks {output.blocks}"
        " {params.outputs}"
        " && corpusprep --times {output.times_counts} statistics count --encoding {input.encoding}"
        " --pages {input.pages} --boilerplate {input.boilerplate} --language-verdicts {input.language}"
        " --tokens {input.tokens} --documents {params.documents}/{wildcards.batch}.parquet --blocks {output.blocks}"
        " {params.boilerplate} --samples {output.samples} --output {output.counts} && true)"
        " 2> {log}"
