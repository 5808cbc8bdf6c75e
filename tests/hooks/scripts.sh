# Recipes that need no tool of their own: a script's first line, shells, notebooks, entry points, units.
. tests/check.sh
. tests/hooks/recipe.bash
mkdir "$D/a b" && cd "$D/a b" || exit 1
export RTRACK_KEEPER_URL=http://127.0.0.1:9 XDG_CACHE_HOME=$D/cache
mkdir runs
python=$(command -v /usr/bin/python3 || command -v python3)
# The code of a recipe, with folders of this test in place of the machine's.
here() { recipe "$1" | sed "s,/usr/local/bin/,$PWD/,g; s,/home/ann/,$PWD/,g; s,/var/tmp/runs,$PWD/runs,g; s,/runs/,$PWD/runs/,g"; }
only() { # NAME EXPECTED FILE…
	check_equal "$1: recorded" "$(facts "${@:3}" | cut -d ' ' -f 1,2)" "$2"
	rm -f "${@:3}"
}

# -- a script's first line --------------------------------------------------------------------------
{ recipe script && echo 'echo "$# arguments" >&2; exit 5'; } >'my script' && chmod +x 'my script'
check_that "the first line is short enough for the kernel" "$(head -n 1 'my script' | wc -c) < 256"
./'my script' 'x  y' z >out 2>err
check_equal 'a script: status, arguments' "$? $(cat out) $(head -n 1 err) $(wc -l <sorted.txt)" \
	'5 sorting for x  y 2 arguments 100000'
only 'a script' 'my script' script-*.gz

# -- a shell that records ---------------------------------------------------------------------------
recipe rtrack-sh >rtrack-sh && chmod +x rtrack-sh
printf '#!/bin/sh\necho nightly; exit 6\n' >nightly.sh && chmod +x nightly.sh
# What cron does: variables, then the rest of the line, in which % would be a new line, goes to SHELL -c.
here cron >crontab
(
	eval "$(grep = crontab | sed 's/=\(.*\)/="\1"; export RTRACK_RUNS/')"
	"$SHELL" -c "$(sed -n 's,^0 3 \* \* \* ,,p' crontab | sed 's, ,\\ ,g')"
) >out 2>err
check_equal 'cron: status, output' "$? $(cat out err)" '6 nightly'
# The path has a blank here: a text, not only a path.
only cron "bash-$(facts runs/* | grep -oP '^bash-\K[0-9a-f]{8}') 6" runs/*
(PATH=/usr/bin:/bin RTRACK_RUNS=$PWD/none ./rtrack-sh -c 'exit 3') >out 2>err
check_equal 'cron without a recorder: the job runs, and one line says so' "$? $(cat out err)" \
	'3 rtrack-sh: not recorded: no rtrack-collect beside it, nor in PATH'
RTRACK_RUNS=$PWD/none ./rtrack-sh -c 'exit 3' >out 2>err
check_equal 'without a folder, likewise' "$? $(cat out err)" "3 rtrack-sh: not recorded: $PWD/none cannot be written"
RTRACK_NAME='a/b c' RTRACK_RUNS=$PWD/runs ./rtrack-sh -c 'echo "$0 $1"; exit 2' zero one >out 2>err
check_equal 'the arguments of a shell' "$? $(cat out err)" '2 zero one'
check 'a name with a slash and a blank stays a file of the folder' ls runs/a_b_c-*
only 'a name with a slash and a blank' 'a/b c' runs/*

printf '2\n1\n' >a.txt && printf '4\n3\n' >'b c.txt' && printf '6\n5\n' >"it's.txt"
rm -f sorted.txt
(eval "$(recipe xargs)") >out 2>err
check_equal 'xargs: status, what it did' "$? $(cat a.txt.sorted 'b c.txt.sorted' "it's.txt.sorted" | paste -sd ' ')" '0 1 2 3 4 5 6'
check_equal 'xargs: a recording for each argument' "$(facts runs/* | sed 's/ cpus.*//')" "a.txt 0
b c.txt 0
it's.txt 0"
rm -f runs/*

# -- languages --------------------------------------------------------------------------------------
recipe notebook | sed 's/^# \.\.\. the cells.*/cell = sum(range(6000000)); subprocess.run(["sleep", "0.7"])/' >notebook.py
check 'the notebook has a cell' grep -q '^cell' notebook.py
"$python" notebook.py >out 2>err
check_equal 'a notebook: status' "$?" 0
check 'a notebook: the page' grep -q '</html>' notebook.html
check 'a notebook: what its cells run is recorded' grep -q '"names":[^]]*"sleep"' <(zcat notebook.json.gz)
{ echo 'import subprocess, time' && recipe phases && echo 'time.sleep(0.2)'; } >phases.py
rtrack-collect -q -i 0.05 -o phases.json.gz -- "$python" phases.py >out 2>err
check_equal 'phases: status' "$? $(cat err)" '0 '
check 'phases: the phase is recorded' grep -q '"fit"' <(zcat phases.json.gz)

# -- containers and services ------------------------------------------------------------------------
printf 'import os, signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\nopen("started", "w").write(str(os.getpid()))\n' >train.py
printf 'time.sleep(60 if os.path.exists("long") else 0.1)\nsys.exit(3)\n' >>train.py
here docker | sed -n 's/^\(ENTRYPOINT\|CMD\) //p' | tr -d '[],' | paste -sd ' ' >argv
check_that 'docker: entry point and command' "$(wc -w <argv) > 6"
eval "argv=($(cat argv))"
"${argv[@]}" >out 2>err
check_equal 'docker: status' $? 3
only docker 'train.py 3' runs/*
if [ "$(id -u)" = 0 ] && unshare --fork --pid --mount-proc true 2>/dev/null; then
	touch long && rm -f started
	unshare --fork --pid --mount-proc "${argv[@]}" >out 2>err &
	wait_until has started 2
	kill -TERM "$(cat "/proc/$!/task/$!/children")"
	wait $!
	check_equal 'docker: as process 1, TERM reaches the program' "$? $(cat started)" '9 2'
	only 'docker: as process 1' 'train.py 9' runs/*
	rm -f long
else
	skip 'docker: as process 1'
	skip 'docker: as process 1: recorded'
fi

yaml() { (cd "$ROOT" && node -e '
	const spec = require("yaml").parse(require("fs").readFileSync(0, "utf8"))
	for (const word of eval("spec." + process.argv[1])) console.log(word)' "$1"); }
mkdir rtrack
recipe kubernetes | yaml 'spec.template.spec.initContainers[0].command' |
	sed "s,/usr/local/bin/rtrack-collect,$R,; s,^/rtrack/,$PWD/rtrack/," >argv
mapfile -t argv <argv
check 'kubernetes: the init container brings the program' "${argv[@]}"
recipe kubernetes | yaml 'spec.template.spec.containers[0].command' |
	sed "s,^/rtrack/,$PWD/rtrack/,; s,^/runs/,$PWD/runs/," >argv
mapfile -t argv <argv
PATH=/usr/bin:/bin "${argv[@]}" >out 2>err
check_equal 'kubernetes: the container runs its program' "$? $(cat err)" '3 '
only kubernetes 'train.py 3' runs/*
check_equal 'kubernetes: each volume that is mounted is there' \
	"$(recipe kubernetes | grep -o 'volumeMounts.*' | grep -oP '\{name: \K[a-z]+' | sort -u | paste -sd ' ')" \
	"$(recipe kubernetes | yaml 'spec.template.spec.volumes.map((v) => v.name)' | sort | paste -sd ' ')"

here systemd | sed "s,/usr/bin/rtrack-collect,$PWD/rtrack-collect," >override.conf
cp "$R" . && printf '#!/bin/sh\nexit 4\n' >nightly && chmod +x nightly
if command -v systemd-analyze >/dev/null; then
	# No path of a unit may have a blank here; systemd would need quotes.
	mkdir -p "$D/units/nightly.service.d" && cp rtrack-collect nightly "$D/units"
	printf '[Service]\nExecStart=%s/units/nightly\n' "$D" >"$D/units/nightly.service"
	sed "s,$PWD,$D/units,g" override.conf >"$D/units/nightly.service.d/override.conf"
	systemd-analyze verify --man=no "$D/units/nightly.service" >out 2>&1
	check_equal 'systemd: the drop-in is understood' "$? $(cat out)" '0 '
	sed -i 's/KillMode=mixed/KillMode=mixedup/' "$D/units/nightly.service.d/override.conf"
	systemd-analyze verify --man=no "$D/units/nightly.service" >out 2>&1
	check 'systemd: verify reads the drop-in' grep -q mixedup out
else
	skip 'systemd: the drop-in is understood' 'no systemd-analyze'
	skip 'systemd: verify reads the drop-in' 'no systemd-analyze'
fi
# As systemd does it: %N is the unit, %% is %.
eval "argv=($(sed -n 's/^ExecStart=\(.\)/\1/p' override.conf | sed "s,$PWD,.,g; s,/var/tmp/,./runs/,; s,%N,nightly,g; s,%%,%,g"))"
"${argv[@]}" >out 2>err
check_equal 'systemd: the command' "$? $(ls runs | sed 's/[0-9]*T[0-9]*Z/T/')" '4 nightly-T.json.gz'
only systemd 'nightly 4' runs/*

# -- CI ---------------------------------------------------------------------------------------------
# GitHub's runner splits the shell at blanks and puts the path of the step's script in place of {0}.
printf 'echo step\nfalse | true\necho never\n' >1b4e28ba-2fa1-11d2-883f-0016d3cca427.sh
read -ra argv < <(recipe github-shell | sed -n 's/^ *shell: //p' | sed "s,/tmp/,runs/,; s,{0},$(echo 1b4e28ba*),")
GITHUB_ACTIONS=true GITHUB_JOB=build "${argv[@]}" >out 2>err
check_equal "github: a step's status and output" "$? $(cat out err)" '1 step'
only github 'build 1' runs/*
recipe jenkins | sed -n "/'''#!/,/'''\$/p" | sed "s/^sh '''//; s/^'''\$//; s/^make test/echo jenkins; false; echo never/" >script.sh
chmod +x script.sh
mkdir -p job@tmp/durable-1f2e && mv script.sh job@tmp/durable-1f2e
JENKINS_URL=http://127.0.0.1:9/ JOB_NAME=nightly job@tmp/durable-1f2e/script.sh >out 2>err
check_equal "jenkins: the script's status and output" "$? $(cat out err)" '1 jenkins'
only jenkins 'nightly 1' rtrack.json.gz
check_equal 'each recipe that is marked is run by a test' \
	"$(grep -oP '^<!-- run: \K[a-z-]+' "$ROOT/docs/recipes.md" | while read -r name; do
		grep -qE "(recipe|here) '?$name\b" "$ROOT"/tests/{hooks,engines}/*.sh || echo "$name"
	done)" ''
echo "1..$n"
