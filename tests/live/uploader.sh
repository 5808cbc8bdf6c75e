#!/bin/bash
# The uploader beside a job: it is not part of it, it may be killed, and no one waits for it for ever. No store is needed: a script
# stands for rtrack-report.
. tests/check.sh
cd "$D" || exit 1
unset RTRACK_MARK
mkdir bin && cp "$R" bin && R=$D/bin/rtrack-collect
cat >bin/rtrack-report <<'S'
#!/bin/bash
case "$1 $3" in
'--put --pieces')
	echo $$ >>starts
	for ((i = 0; i < ${BURN:-0}; i++)); do :; done
	(trap '' TERM; exec -a left-behind sleep "${LEFT:-0}") &
	if read -r line; then echo "$line" >>told; else echo end >>told; fi
	[ -z "$TAKES" ] || { exec -a putting sleep "$TAKES"; }
	exit "${STATUS:-0}" ;;
--get*)
	trap 'echo ended >ended; exit 1' TERM
	echo $$ >getting
	for ((i = 0; i < 300; i++)); do sleep 0.1; done ;;
*) echo "$*" >>whole ;;
esac
S
chmod +x bin/rtrack-report
record=("$R" -q -i 0.1 --no-discover-cloud --cgroup off --upload-every 1)
field() { gzip -dc "$1" | grep -o "\"$2\":[-0-9.]*" | head -n 1 | cut -d: -f2; }
starts() { [ "$(wc -l <starts)" -ge "$1" ]; }
fresh() { rm -rf run && mkdir run && cd run && : >starts && : >told; }
ended() { ! kill -0 "$1" 2>/dev/null; }

# -- it is killed ----------------------------------------------------------------------------------------------------------------------
for what in program between; do
	fresh || exit 1
	mkfifo go
	BURN=100000 LEFT=0.3 STATUS=1 "${record[@]}" -o s3://b/run.json.gz -- sh -c 'read -r x <go' 2>err &
	p=$!
	wait_until starts 1
	between=$(ps -o ppid= -p "$(cat starts)" | tr -d ' ')
	check_equal "$what: the uploader is in a session of its own" "$(ps -o sid= -p "$between" | tr -d ' ')" "$between"
	sleep 0.7
	if [ $what = program ]; then kill -KILL "$(cat starts)"; else kill -KILL "$between"; fi
	wait_until starts 2
	echo >go
	wait $p
	check_equal "$what is killed: the command's status" $? 0
	check_equal "$what is killed: another one is started, once" "$(wc -l <starts)" 2
	check_equal "$what is killed: the new one is told of the snapshot" "$(cat told)" run.json.gz
	check_equal "$what is killed: the snapshot stays if that fails" "$(grep -c 'stays on disk' err) $(ls run.json.gz)" '1 run.json.gz'
	check_that "$what is killed: its CPU time is not the job's" "$(field run.json.gz exact_cpu_s) < 0.1"
	check_that "$what is killed: nor in the rows" "$(cpu_time run.json.gz) < 0.1"
	check_equal "$what is killed: nothing of it is a process of the job" "$(gzip -dc run.json.gz | grep -c 'left-behind\|rtrack-report')" 0
	cd .. || exit 1
done

# -- the end -----------------------------------------------------------------------------------------------------------------------------
fresh || exit 1
TAKES=60 "${record[@]}" -o s3://b/run.json.gz -- sleep 60 2>err &
p=$!
wait_until starts 1
began=$SECONDS
kill -TERM $p && wait_until larger told 0 && kill -INT $p
wait $p
check_that 'a second signal ends the wait' "$? == 143 && $SECONDS - $began < 50"
check 'and the sentence names the command' has err "interrupted.*rtrack-report --put run.json.gz s3://b/run.json.gz"
check 'nothing is left running' wait_until ended "$(cat starts)"
cd .. && fresh || exit 1
TAKES=1 "${record[@]}" -o s3://b/run.json.gz -- sh -c 'trap "" HUP; sleep 60' 2>err &
p=$!
wait_until starts 1
kill -STOP $p && kill -HUP $p && kill -TERM $p && kill -INT $p && kill -CONT $p
wait $p
check_equal 'several signals at once end the command, not the upload' "$(cat told err)" run.json.gz
check_equal 'and the file is removed' "$(ls run.json.gz 2>/dev/null)" ''

cd .. && fresh || exit 1
mkdir folder && cd folder || exit 1
: >starts
"${record[@]}" -o "s3://b/it's.json.gz" -- sh -c 'sleep 0.5; rm -r ../folder' 2>../err
check_equal 'the folder is removed meanwhile: the status' $? 0
cd ..
check 'what is in the store is named' has err "rtrack-collect --recover 's3://b/it'.*'s.json.gz'"
cd .. || exit 1

# -- --recover ---------------------------------------------------------------------------------------------------------------------------
fresh || exit 1
env --default-signal=INT "$R" --recover s3://b/run.json.gz 2>err &
p=$!
wait_until larger getting 0
kill -INT $p
wait $p
check 'Ctrl-C ends the download, too' wait_until ended "$(cat getting)"
check 'by SIGTERM, so that it leaves nothing half' has ended ended
for bad in s3://b s3://b/ s3://b/folder/ 's3://b/x -o y'; do
	# shellcheck disable=SC2086
	"$R" --recover $bad 2>err
	check_equal "--recover $bad: a usage error" "$? $(wc -l <err)" '125 1'
done
cd .. || exit 1
echo "1..$n"
