# One job a corpus writes a file for each of its batches, so each corpus has a rule of its own.
for folder in FOLDERS:

    rule:
        name:
            f"documents_{rule_suffix(folder)}"
        input:
            tokens=expand("{folder}/tokens/{batch}.parquet", folder=folder, batch=BATCHES[folder]),
            plan=ancient(f"{folder}/batches.tsv"),
        output:
            tables=expand("{folder}/documents/{batch}.parquet", folder=folder, batch=BATCHES[folder]),
            times=f"{folder}/times/documents/all.tsv",
        log:
            f"{folder}/logs/documents.log",
        conda:
            ENVIRONMENT
        resources:
            mem_mb=partial(memory_mb, folder),
        params:
            tokens=f"{folder}/tokens",
            tables=f"{folder}/documents",
            memory=CORPORA[folder].memory,
        message:
            f"Exact duplicates of {folder}"
        shell:
            "corpusprep --times {output.times} documents --batches {input.plan} --tokens {params.tokens}"
            " --memory {params.memory:q} --output {params.tables} 2> {log}"
