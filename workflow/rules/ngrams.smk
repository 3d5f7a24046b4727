# These steps take seconds a batch, and their files go: a job takes a bundle of batches.
rule ngrams_words:
    input:
        vertical=of_bundle("{folder}/tokens/{batch}.vert.zst"),
        documents=rules.documents.output.tables,
        model=model_path,
    output:
        words=temp("{folder}/ngrams/words/{bundle}.words"),
        tokens=temp("{folder}/ngrams/words/{bundle}.tokens"),
        ngram_keys=temp("{folder}/ngrams/words/{bundle}.keys"),  # empty where the method needs none
        times="{folder}/times/ngrams/words-{bundle}.tsv",
    log:
        "{folder}/logs/ngrams/words-{bundle}.log",
    conda:
        ENVIRONMENT
    threads: BUNDLE_THREADS
    resources:
        mem_mb=global_memory_mb,
        runtime=bundle_runtime,
    params:
        texts=lambda wildcards, input: text_options(wildcards, input.vertical, input.documents),
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        counting=lambda wildcards: counting(section(wildcards, "ngrams")),
        ngram_keys=lambda wildcards, output: flags({"keys": [output.ngram_keys] if by_hash(wildcards) else []}),
        memory=memory,
    message:
        "Words of {wildcards.folder}, bundle {wildcards.bundle}"
    shell:
        "corpusprep --times {output.times} ngrams words {params.texts} --model {input.model} --n {params.n}"
        " {params.counting} --memory {params.memory:q} --threads {threads} --output {output.words}"
        " --tokens {output.tokens} {params.ngram_keys} 2> {log}"
        " && touch {output.ngram_keys}"


rule ngrams_lexicon:
    input:
        words=each_bundle("{folder}/ngrams/words/{bundle}.words"),
        plan=rules.batches.output.bundles,
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
        ngram_keys=each_bundle("{folder}/ngrams/words/{bundle}.keys"),
        plan=rules.batches.output.bundles,
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
        tokens="{folder}/ngrams/words/{bundle}.tokens",
        lexicon=rules.ngrams_lexicon.output.lexicon,
        candidates=candidates,
    output:
        runs=temp("{folder}/ngrams/counted/{bundle}.runs"),
        times="{folder}/times/ngrams/runs-{bundle}.tsv",
    log:
        "{folder}/logs/ngrams/runs-{bundle}.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=bundle_runtime,
    params:
        n=lambda wildcards: section(wildcards, "ngrams")["n"],
        candidates=lambda wildcards, input: flags({"candidates": input.candidates}),
        memory=memory,
    message:
        "N-grams of {wildcards.folder}, bundle {wildcards.bundle}"
    shell:
        "corpusprep --times {output.times} ngrams runs --tokens {input.tokens} {params.candidates}"
        " --lexicon {input.lexicon} --n {params.n} --memory {params.memory:q} --output {output.runs} 2> {log}"


rule ngrams_merge:
    input:
        runs=each_bundle("{folder}/ngrams/counted/{bundle}.runs"),
        lexicon=rules.ngrams_lexicon.output.lexicon,
        plan=rules.batches.output.bundles,
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
