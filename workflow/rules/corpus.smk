# Applies the verdicts on blocks, writes the corpus, and counts what the batch adds to the statistics, in one job: they
# need nothing else, and every job more is one more to plan, for each batch.
rule corpus:
    input:
        **inputs("corpus"),
    output:
        **outputs("corpus"),
    log:
        log_of("corpus"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("corpus"),
    params:
        # No input by itself, but of the matches: otherwise Snakemake would compare it, for each of a thousand batches,
        # with each of the thousand inputs of `documents`.
        documents=documents_folder,
        boilerplate=stage_options("boilerplate"),
        memory=memory,
    message:
        message_of("corpus")
    shell:
        "(corpusprep --times {output.times_blocks_apply} blocks apply --verdicts {input.verdicts}/{wildcards.batch}.verdicts"
        " --matches {input.matches}/{wildcards.batch}.matches --tokens {input.tokens} --boilerplate {input.boilerplate}"
        " --documents {params.documents}/{wildcards.batch}.parquet --memory {params.memory:q} --output {output.blocks}"
        " && corpusprep --times {output.times_corpus} corpus --encoding {input.encoding} --pages {input.pages}"
        " --boilerplate {input.boilerplate} --language-verdicts {input.language} --tokens {input.tokens}"
        " --vertical {input.vertical} --documents {params.documents}/{wildcards.batch}.parquet --blocks {output.blocks}"
        " --output-vertical {output.corpus_vertical} --output-jsonl {output.corpus_jsonl} --output-parquet {output.corpus_parquet}"
        " && corpusprep --times {output.times_statistics_count} statistics count --encoding {input.encoding}"
        " --pages {input.pages} --boilerplate {input.boilerplate} --language-verdicts {input.language}"
        " --tokens {input.tokens} --documents {params.documents}/{wildcards.batch}.parquet --blocks {output.blocks}"
        " {params.boilerplate} --samples {output.samples} --output {output.counts} && true)"
        " 2> {log}"
