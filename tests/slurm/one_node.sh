#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A Slurm of one node on loopback, of Debian's packages, for the time of one command: one_node.sh COMMAND [WORD...].
# Everything it writes lies in a folder of its own; its daemons are ended by their own process numbers. Needs root,
# as munged and slurmd do.
set -euo pipefail
dir=$(mktemp -d)
pids=()
stop()
{
	for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
	for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
	rm -rf "$dir"
}
trap stop EXIT

host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
export SLURM_CONF=$dir/slurm.conf
mkdir -p "$dir/state" "$dir/spool"
chmod 755 "$dir"
dd if=/dev/urandom of="$dir/key" bs=64 count=1 status=none
chmod 400 "$dir/key"
cat >"$SLURM_CONF" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END

munged --foreground --force --key-file="$dir/key" --socket="$dir/munge.sock" --pid-file="$dir/munged.pid" \
	--seed-file="$dir/seed" --log-file="$dir/munged.log" >"$dir/munged.out" 2>&1 &
pids+=($!)
for _ in $(seq 50); do [ -S "$dir/munge.sock" ] && break; sleep 0.1; done
slurmctld -D >"$dir/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$host" >"$dir/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 200); do
	sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix)' && break
	sleep 0.1
done
sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix)' || {
	tail -n 5 "$dir"/*.log "$dir/munged.out"
	echo "one_node.sh: no node came up"
	exit 1
}
"$@"
