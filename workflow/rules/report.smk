# All corpora of the config side by side.
rule overview:
    input:
        tables=expand("{folder}/statistics/{table}.tsv", folder=FOLDERS, table=pipeline.OVERVIEW),
        reports=expand("{folder}/report.html", folder=FOLDERS),
    output:
        page=f"{RESULTS}/report.html",
        table=f"{RESULTS}/corpora.tsv",
    log:
        f"{RESULTS}/logs/overview.log",
    conda:
        ENVIRONMENT
    params:
        corpora=corpora_options,
    message:
        "Corpora side by side"
    shell:
        "corpusprep step overview --output {output.page:q} --table {output.table:q} {params.corpora} 2> {log:q}"


# Fails for an empty corpus, so that the run does: its exit code is then 1.
rule summary:
    input:
        corpus_size=path_of("corpus_size"),
        encoding=each_batch("{folder}/encoding/{batch}.parquet"),
    output:
        "{folder}/summary.txt",
    log:
        "{folder}/logs/summary.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        folder=OF_CORPORA,
    message:
        "Summary of {wildcards.folder}"
    shell:
        "corpusprep show -- {wildcards.folder:q} > {output:q} 2> {log:q}"
