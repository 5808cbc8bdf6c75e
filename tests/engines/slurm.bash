# A real Slurm of two nodes on loopback, for the tests of this folder. The caller has sourced tests/check.sh, and is
# root.
#
#   slurm_start [cgroup]
#                    starts munged, slurmctld and two slurmd ($N1, $N2) with their own configuration below $S, and exports
#                    SLURM_CONF. Fails if one of them is not installed, or the nodes do not become idle. With cgroup: with
#                    accounting (slurmdbd, MariaDB: sacct works) and what most clusters run, proctrack/cgroup and task/cgroup.
#   slurm_plugin …   writes a line into plugstack.conf: the arguments of rtrack_spank.so; none: no plugin
#   slurm_parts [FOLDER]  unpacks what the plugin has recorded, one file for each job and node, into one file for each recording:
#                    $S/parts/UID/rtrack-JOB.STEP-NODE.json.gz; sums of short steps are STEP "short"
#   slurm_stop       cancels all jobs, ends the daemons and waits until everything is gone
#   slurm_left       lists the processes that belong to this Slurm, without its daemons
#   submit …         sbatch; prints the job's number
#   finished JOB     whether a job has left the queue
#   run_job …        sbatch, and waits for the end: $job is its number
#   shown JOB FIELD  a field of scontrol show job
S='' daemons=() N1=n1 N2=n2
. tests/engines/free_ports.bash

# All processes that Slurm starts have SLURM_CONF in their environment, and so have its daemons.
slurm_processes() {
	(
		unset SLURM_CONF # those that look are none of them
		grep -l -s -a -e "SLURM_CONF=$S/" /proc/[0-9]*/environ | cut -d/ -f3
	)
}
slurm_left() {
	local pid
	for pid in $(slurm_processes); do
		(
			unset SLURM_CONF
			# shellcheck disable=SC2076
			[[ " ${daemons[*]} " =~ " $pid " ]] || ps -o pid=,stat=,args= -p "$pid" | grep -v slurmscriptd
		)
	done
}

nodes_idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }
# MariaDB and slurmdbd, with the ports $1 and $2.
slurm_accounting() {
	command -v mariadbd slurmdbd >/dev/null || return 1
	mkdir "$S/db" && chown mysql "$S/db" &&
		mariadb-install-db --user=mysql --datadir="$S/db" --auth-root-authentication-method=normal >"$S/log/install" 2>&1 || return 1
	mariadbd --no-defaults --user=mysql --datadir="$S/db" --socket="$S/db/s" --port="$1" --bind-address=127.0.0.1 \
		--pid-file="$S/db/pid" --innodb-buffer-pool-size=32M >"$S/log/db" 2>&1 &
	daemons+=($!)
	wait_until mariadb --socket="$S/db/s" -u root -e "create database a; create user s@localhost identified by 'x';
		create user s@'127.0.0.1' identified by 'x'; grant all on a.* to s@localhost; grant all on a.* to s@'127.0.0.1'" || return 1
	cat >"$S/slurmdbd.conf" <<-C
		AuthType=auth/munge
		AuthInfo=socket=$S/munge/socket
		DbdHost=$(hostname)
		DbdAddr=127.0.0.1
		DbdPort=$2
		SlurmUser=root
		LogFile=$S/log/dbd.log
		PidFile=$S/dbd.pid
		StorageType=accounting_storage/mysql
		StorageHost=127.0.0.1
		StoragePort=$1
		StorageUser=s
		StoragePass=x
		StorageLoc=a
	C
	chmod 600 "$S/slurmdbd.conf"
	slurmdbd -D >/dev/null 2>&1 &
	daemons+=($!)
	wait_until sacctmgr -i add cluster test >/dev/null 2>&1
}

slurm_start() {
	local port host node kind=${1-linuxproc} task=none
	command -v munged slurmctld slurmd sbatch srun >/dev/null || return 1
	# Several Slurms on a host share its cgroups, where Slurm names the top by the node.
	[ "$kind" != cgroup ] || task=cgroup N1=rt$$a N2=rt$$b
	# Slurm takes no blanks in its paths, and a long path cannot name a socket.
	S=$(mktemp -d /tmp/rtrack-slurm.XXXXXX) && chmod 755 "$S" || return 1
	mkdir -m 755 "$S"/{state,log,spool-n1,spool-n2,munge,spool}
	(umask 077 && head -c 1024 /dev/urandom >"$S/munge/key")
	port=$(free_ports 5) host=$(hostname)
	cat >"$S/slurm.conf" <<C
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$S/munge/socket
StateSaveLocation=$S/state
SlurmdSpoolDir=$S/spool-%n
SlurmctldPidFile=$S/ctld.pid
SlurmdPidFile=$S/slurmd-%n.pid
SlurmctldLogFile=$S/log/ctld.log
SlurmdLogFile=$S/log/slurmd-%n.log
PlugStackConfig=$S/plugstack.conf
ProctrackType=proctrack/$kind
TaskPlugin=task/$task
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
$([ $task = cgroup ] || echo JobAcctGatherParams=OverMemoryKill)
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
KillWait=5
MpiDefault=none
$([ $task != cgroup ] || printf 'AccountingStorage%s\n' Type=accounting_storage/slurmdbd Host=127.0.0.1 Port=$((port + 4)) "Pass=$S/munge/socket")
NodeName=$N1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 RealMemory=2000 State=UNKNOWN
NodeName=$N2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP$([ $task != cgroup ] || echo ' DefMemPerCPU=200')
C
	printf '%s\n' IgnoreSystemd=yes ConstrainRAMSpace=yes ConstrainCores=yes ConstrainSwapSpace=no >"$S/cgroup.conf"
	slurm_plugin
	export SLURM_CONF=$S/slurm.conf
	munged --foreground --force --num-threads=2 --key-file="$S/munge/key" --socket="$S/munge/socket" \
		--pid-file="$S/munge/pid" --log-file="$S/munge/log" --seed-file="$S/munge/seed" >/dev/null 2>&1 &
	daemons+=($!)
	wait_until test -S "$S/munge/socket" || return 1
	[ $task != cgroup ] || slurm_accounting $((port + 3)) $((port + 4)) || return 1
	slurmctld -D >/dev/null 2>&1 &
	daemons+=($!)
	for node in $N1 $N2; do
		slurmd -D -N $node >/dev/null 2>&1 &
		daemons+=($!)
	done
	wait_until nodes_idle
}

slurm_plugin() {
	[ $# = 0 ] || echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=$S/plugin journal=$S/spool $*"
} >"$S/plugstack.conf"
slurm_parts() {
	node -e 'const fs = require("fs"), zlib = require("zlib"), [top, to] = process.argv.slice(1);
		fs.rmSync(to, { recursive: true, force: true });
		for (const path of fs.readdirSync(top, { recursive: true }).filter(path => /^\d+\/[\d-]{10}\/[^/]*[.]json[.]gz$/.test(path))) {
			const file = fs.readFileSync(`${top}/${path}`), [uid, , name] = path.split("/"), [, job, node] = /^([^-]*)-(.*)[.]json[.]gz$/.exec(name);
			for (let at = 0, n; at < file.length; at += n) {
				n = Number(file.readBigUInt64LE(at + 16));
				const one = file.subarray(at, at + n), read = JSON.parse(zlib.gunzipSync(one));
				const step = read.rtrack_short ? "short" : read.rtrack.job.labels["slurm.step_id"] ?? "batch";
				fs.mkdirSync(`${to}/${uid}`, { recursive: true });
				fs.writeFileSync(`${to}/${uid}/rtrack-${job}.${step}-${node}.json.gz`, one);
			}
		}' "${1-$S/plugin}" "$S/parts"
}

# The cgroups of this Slurm, the lowest first.
slurm_cgroups() { find /sys/fs/cgroup -depth -type d \( -path "*slurm_$N1*" -o -path "*slurm_$N2*" -o -path "*/${N1}_slurmstepd*" -o -path "*/${N2}_slurmstepd*" \) 2>/dev/null; }

slurm_gone() { [ -z "$(slurm_processes)" ]; }
slurm_stop() {
	local pid
	[ -n "$S" ] || return 0
	scancel -u root -u nobody 2>/dev/null
	timeout 60 bash -c 'while squeue -h 2>/dev/null | grep -q .; do sleep 0.2; done'
	for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null; done
	for _ in {1..100}; do
		! slurm_gone || break
		sleep 0.1
	done
	for pid in $(slurm_processes); do kill -KILL "$pid" 2>/dev/null; done
	wait "${daemons[@]}" 2>/dev/null
	daemons=()
	[ "$N1" = n1 ] || slurm_cgroups | xargs -r rmdir 2>/dev/null
	umount "$S/full" 2>/dev/null
	rm -f "/run/rtrack-failed${S//\//-}"-* /run/rtrack-failed-proc-none # what the plugin has said
	slurm_gone && rm -rf "$S"
}

submit() { sbatch --parsable "$@" 2>err; }
finished() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }
run_job() { job=$(submit "$@") && wait_until finished "$job"; }
shown() { scontrol -o show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
