"""The tables of the language kit, on evaluation data: `snakemake languages`. No corpus needs them."""
LANGUAGE_TABLES = "stop_lists learned identification scores page_languages confusions encodings charsets damaged_pages".split()


localrules:
    languages,


rule languages:
    input:
        expand("{results}/languages/{table}.tsv", results=RESULTS, table=LANGUAGE_TABLES),


rule language_table:
    output:
        "{results}/languages/{table}.tsv",
    log:
        "{results}/languages/logs/{table}.log",
    conda:
        ENVIRONMENT
    wildcard_constraints:
        table="|".join(LANGUAGE_TABLES),
    params:
        data=GOLD_DATA,
        pages=CLONE / "config/sample/pages",
    message:
        "Table of the language kit: {wildcards.table}"
    shell:
        "corpusprep studies languages {wildcards.table:q} --data {params.data:q} --pages {params.pages:q} --output {output:q} 2> {log:q}"
