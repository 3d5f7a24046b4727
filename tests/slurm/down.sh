#!/usr/bin/env bash
# Stops the SLURM that up.sh started:  down.sh FOLDER
set -uo pipefail
folder=$(realpath -m "${1:?give a folder}")
unset "${!SLURM_@}"

if [ "$(readlink /etc/slurm/slurm.conf)" = "$folder/slurm.conf" ]; then
    timeout 20 scancel --user="$(id -un)" 2> /dev/null
    sleep 1
    rm -f /etc/slurm/slurm.conf
fi
for pid_file in "$folder"/slurmd-*.pid "$folder/slurmctld.pid" "$folder/munged.pid"; do
    [ -f "$pid_file" ] || continue
    pid=$(cat "$pid_file")
    kill "$pid" 2> /dev/null
    for _ in $(seq 50); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.1
    done
    kill -9 "$pid" 2> /dev/null
done
exit 0
