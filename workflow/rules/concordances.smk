# Concordances before and after cleaning of every corpus (thesis, figure 1.1 and appendix A):
# `snakemake --cores all concordances`. No corpus needs them.
localrules:
    concordances,


rule concordances:
    input:
        expand("{folder}/concordances.html", folder=FOLDERS),


rule concordances_page:
    input:
        words=path_of("removed_words"),
        corpus=each_batch(path_of("corpus_vertical")),
    output:
        "{folder}/concordances.html",
    log:
        "{folder}/logs/concordances.log",
    conda:
        ENVIRONMENT
    resources:
        mem_mb=global_memory_mb,
        runtime=text_runtime,
        places=places,
    message:
        "Concordances of {wildcards.folder}"
    shell:
        advised("corpusprep search --page {output:q} -- {wildcards.folder:q} 2> {log:q}")
