rule ngrams_words:
    input:
        vertical="{folder}/tokens/{batch}.vert.zst",
        documents="{folder}/documents",
        model=model_path,
    output:
        words=temp("{folder}/ngrams/words/{batch}.words"),
        tokens=temp("{folder}/ngrams/words/{batch}.tokens"),
        ngram_keys=temp("{folder}/ngrams/words/{batch}.keys"),  # empty where the method needs none
        times="{folder}/times/ngrams/words-{batch}.tsv",
    log:
        "{folder}/logs/ngrams/words-{batch}.log",
    conda:
        ENVIRONMENT
    threads: BATCH_THREADS
    resources:
        mem_mb=global_memory_mb,
        runtime=batch_runtime,
    params:
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        ngram_keys=lambda wildcards, output: flags({"keys": [output.ngram_keys] if by_hash(wildcards) else []}),
        memory=memory,
    message:
        "Words of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} ngrams words --vertical {input.vertical}"
        " --documents {input.documents}/{wildcards.batch}.parquet --model {input.model} --n {params.n} {params.counting}"
        " --memory {params.memory:q} --threads {threads} --output {output.words} --tokens {output.tokens} {params.ngram_keys} 2> {log}"
        " && touch {output.ngram_keys}"


rule ngrams_lexicon:
    input:
        words=each_batch("{folder}/ngrams/words/{batch}.words"),
        plan=ancient("{folder}/batches.tsv"),
    output:
        lexicon="{folder}/ngrams/lexicon.lex",
        times="{folder}/times/ngrams/lexicon.tsv",
    log:
        "{folder}/logs/ngrams/lexicon.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        words=lambda wildcards: f"{wildcards.folder}/ngrams/words",
        memory=memory,
    message:
        "Lexicon of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} ngrams lexicon --batches {input.plan} --words {params.words}"
        " --memory {params.memory:q} --output {output.lexicon} 2> {log}"


# Method hash: which n-grams could be duplicates.
rule ngrams_candidates:
    input:
        ngram_keys=each_batch("{folder}/ngrams/words/{batch}.keys"),
        plan=ancient("{folder}/batches.tsv"),
    output:
        candidates=temp("{folder}/ngrams/candidates"),
        times="{folder}/times/ngrams/candidates.tsv",
    log:
        "{folder}/logs/ngrams/candidates.log",
    conda:
        ENVIRONMENT
    threads: GLOBAL_THREADS
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        ngram_keys=lambda wildcards: f"{wildcards.folder}/ngrams/words",
        memory=memory,
    message:
        "Candidates of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} ngrams candidates --batches {input.plan} --keys {params.ngram_keys}"
        " --memory {params.memory:q} --threads {threads} --output {output.candidates} 2> {log}"


rule ngrams_runs:
    input:
        tokens="{folder}/ngrams/words/{batch}.tokens",
        lexicon="{folder}/ngrams/lexicon.lex",
        candidates=candidates,
    output:
        runs=temp("{folder}/ngrams/counted/{batch}.runs"),
        times="{folder}/times/ngrams/runs-{batch}.tsv",
    log:
        "{folder}/logs/ngrams/runs-{batch}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=batch_runtime,
    params:
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        candidates=lambda wildcards, input: flags({"candidates": input.candidates}),
        memory=memory,
    message:
        "N-grams of {wildcards.folder}, batch {wildcards.batch}"
    shell:
        "corpusprep --times {output.times} ngrams runs --tokens {input.tokens} {params.candidates}"
        " --lexicon {input.lexicon} --n {params.n} --memory {params.memory:q} --output {output.runs} 2> {log}"


rule ngrams_merge:
    input:
        runs=each_batch("{folder}/ngrams/counted/{batch}.runs"),
        lexicon="{folder}/ngrams/lexicon.lex",
        plan=ancient("{folder}/batches.tsv"),
    output:
        duplicates="{folder}/ngrams/counted/duplicates.keys",
        times="{folder}/times/ngrams/merge.tsv",
    log:
        "{folder}/logs/ngrams/merge.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=global_runtime,
    params:
        runs=lambda wildcards: f"{wildcards.folder}/ngrams/counted",
        memory=memory,
    message:
        "Duplicate n-grams of {wildcards.folder}"
    shell:
        "corpusprep --times {output.times} ngrams merge --batches {input.plan} --runs {params.runs}"
        " --lexicon {input.lexicon} --memory {params.memory:q} --output {output.duplicates} 2> {log}"
