# Nextflow with a shell that records. Nextflow itself is not to be had here: this does what its sources do with
# process.shell (shebangLine, fetchInterpreter and BashWrapperBuilder). It calls the closure for each task, joins the list
# with blanks, puts "/usr/bin/env " before what is no path, and writes that into .command.run, before the path of .command.sh.
. tests/check.sh
. tests/hooks/recipe.bash
command -v node >/dev/null || skip_all 'node is not installed'
cd "$D" || exit 1
mkdir runs && recipe nextflow >line
check_equal 'it is one line' "$(grep -c . line)" 1

# A task of a process: JavaScript spells the line's strings and its "?:" in another way.
task() { # PROCESS MEMORY TIME SCRIPT: makes its folder, and prints the command that starts it
	mkdir "$1" && cat >read.mjs <<-'END'
		import { readFileSync } from 'node:fs';
		const [, , process, memory, time] = globalThis.process.argv, of = (n, name) => n ? { [name]: () => n } : null;
		const line = readFileSync('line', 'utf8').replaceAll('"', '`').replaceAll('?:', '||').replaceAll('/shared/', '../');
		const [, list] = /^process\.shell = \{ (\[.*\]) \}$/.exec(line.trim());
		const task = { process, cpus: 3, memory: of(memory, 'toBytes'), time: of(time, 'toSeconds') };
		const words = new Function('task', 'workflow', `return ${list}`)(task, { runName: 'sad_bell' }).join(' ');
		console.log(words.startsWith('/') ? words : `/usr/bin/env ${words}`);
	END
	node read.mjs "$1" "$2" "$3" >interpreter && printf '#!%s\n%s\n' "$(<interpreter)" "$4" >"$1/.command.sh"
	cat >"$1/.command.run" <<-END
		#!/bin/bash
		# NEXTFLOW TASK: $1 (sample 1)
		set -eu
		nxf_launch() {
		    $(<interpreter) .command.sh
		}
		export NXF_TASK_WORKDIR="\$PWD"
		set +e
		(set -o pipefail; (nxf_launch | tee .command.out) 3>&1 1>&2 2>&3 | tee .command.err) &
		wait \$! || exit \$?
	END
}
run() { (cd "$1" && bash .command.run) >log 2>err; }

task ALIGN 2147483648 3600 'echo out; echo to err >&2; echo "${RTRACK_WORKFLOW_RUN-}"'
run ALIGN
check_equal 'a task: status and outputs' "$? $(paste -sd ' ' ALIGN/.command.out) $(<ALIGN/.command.err)" '0 out nextflow/sad_bell to err'
check_equal 'a task: its recording' "$(facts runs/*)" 'ALIGN 0 cpus=3 memory=2147483648 time=3600'
check_equal 'a task: its labels' "$(zcat runs/ALIGN* | grep -oE '"(nextflow\.task|workflow\.run|workflow)":"[^"]*"' | sort -u | paste -sd ' ')" \
	'"nextflow.task":"ALIGN (sample 1)" "workflow":"nextflow" "workflow.run":"nextflow/sad_bell"'
rm runs/*
task RNASEQ:SORT '' '' 'echo before; : "$not_set"; echo never'
run RNASEQ:SORT
check_equal 'a task that fails: its status, and what it wrote' "$? $(<RNASEQ:SORT/.command.out)" '1 before'
check 'a task that fails: why' grep -q 'not_set: unbound variable' RNASEQ:SORT/.command.err
machine=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) * 1024))
check_equal 'a task that asks for no memory and time' "$(facts runs/*)" "RNASEQ:SORT 1 cpus=3 memory=$machine time=null"
# A container's command is a string in double quotes, which is run by its bash.
check_that 'nothing in it has a meaning in double quotes' "$(grep -c '["$`\\]' interpreter) == 0"
rm runs/*
(cd RNASEQ:SORT && bash -c "$(<../interpreter) .command.sh") >log 2>err
check_equal 'a container: status and recording' "$? $(names_of runs/*)" '1 RNASEQ:SORT'
echo "1..$n"
