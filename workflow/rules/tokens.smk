# Two commands in one job, since both take little: a thousand jobs fewer to plan for a thousand batches. Here and in
# other rules with two, `&& true` keeps the shell from becoming the second, whose times would then count the first's.
rule tokens:
    input:
        **inputs("tokens"),
        model=model_path,
        rivals=rivals_folder,
    output:
        **outputs("tokens"),
    log:
        log_of("tokens"),
    conda:
        ENVIRONMENT
    resources:
        **resources_of("tokens"),
    params:
        rivals=rival_options,
        options=stage_options("language", without=["rivals"]),
        tokens=stage_options("tokens"),
    message:
        message_of("tokens")
    shell:
        "(corpusprep --times {output.times_language} language --boilerplate {input.boilerplate} --pages {input.pages}"
        " --model {input.model} {params.rivals} {params.options} --output {output.language}"
        " && corpusprep --times {output.times_tokens} tokens --encoding {input.encoding} --pages {input.pages}"
        " --boilerplate {input.boilerplate} --language-verdicts {output.language} --model {input.model} {params.tokens}"
        " --vertical {output.vertical} --output {output.tokens} && true) 2> {log}"
