# Two short steps in one job: with a thousand batches, a thousand jobs fewer to plan.
rule tokens:
    input:
        **inputs("tokens"),
        model=model_path,
        rivals=rivals_folder,
        code=own_code_files("tokens", "tokenizer"),
    output:
        **outputs("tokens"),
    log:
        log_of("tokens"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("tokens"),
    params:
        **params_of("tokens"),
        rivals=rival_options,
    message:
        message_of("tokens")
    shell:
        command("tokens")
