# The files of a recording: what is refused before the start; and nothing else is lost, or stops the job.
. tests/check.sh
cd "$D" || exit 1

collect() { "$R" -q -i 0.05 --no-discover-cloud --cgroup off "$@"; }
reads() { "$P" --offline -j - "$1" 2>/dev/null | grep -q '"samples":[1-9]'; }
# The command does not run, one sentence says why, and no file comes or goes.
refused() { # NAME PATTERN OPTION…
	local before
	rm -f ran
	before=$(ls -Al | grep -v '^total\| err$')
	collect "${@:3}" -- touch ran 2>err
	check_equal "$1: status" $? 125
	check_equal "$1: one sentence" "$(grep -c "$2" err) of $(wc -l <err)" '1 of 1'
	check_equal "$1: nothing has changed" "$(ls -Al | grep -v '^total\| err$')" "$before"
}
runs() { # NAME OPTION…
	rm -f ran
	collect "${@:2}" -- sh -c 'touch ran; exit 7' 2>err
	check_equal "$1: status" $? 7
	check_equal "$1: it has run, nothing is said" "$(ls ran) $(wc -l <err)" 'ran 0'
}

# -- what has the name ------------------------------------------------------------------------------
mkdir dir
mkfifo fifo
echo old >file
ln -s /dev/null to-device && ln -s fifo to-fifo && ln -s dir to-dir && ln -s file to-file && ln -s none dangling
refused 'a link to a device' 'to-device links to a device' -o to-device
refused 'a link to a FIFO' 'to-fifo links to a FIFO' -o to-fifo
refused 'a link to a folder' 'to-dir links to a directory' -o to-dir
refused 'a FIFO' 'fifo is a FIFO' -o fifo
refused 'a folder' 'dir is a directory' -o dir
runs 'a link to a file' -o to-file
check_equal 'a link to a file is replaced, not followed' "$(cat file) $(test -L to-file || reads to-file && echo new)" 'old new'
runs 'a link to nowhere' -o dangling
check_equal 'a link to nowhere is replaced' "$(test -L dangling || reads dangling && echo new) $(ls none 2>/dev/null)" 'new '

# In /dev, which must be one of our own: a collector that is wrong, and root's, would break the machine's.
in_dev() {
	local name before
	named() { stat -c '%N %i %f' /dev/{stdout,stderr,null,fd,new.gz} 2>&1; } # others use the rest
	before=$(named)
	for name in stdout stderr null fd/1 new.gz; do
		refused "/dev/$name" '/dev/' -o /dev/$name
		collect -o /dev/$name -- touch ran >stdout.file 2>err
		check_equal "/dev/$name, standard output being a file" "$? $(ls ran stdout.file 2>/dev/null)" '125 stdout.file'
	done
	check_equal 'nothing in /dev is another' "$(named)" "$before"
	check_equal 'a pipe to /dev/stdout' "$(collect -o /dev/stdout -- echo ran 2>err; echo $?)" 125
}
own_dev='mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && ln -s /proc/self/fd /dev/fd &&
	ln -s fd/1 /dev/stdout && ln -s fd/2 /dev/stderr'
export R n
if [ "$(id -u)" != 0 ]; then
	in_dev
elif unshare -m bash -c "$own_dev" 2>/dev/null; then
	unshare -m bash -c "$own_dev; $(declare -f passed failed check_equal collect refused in_dev); in_dev; echo \$n >count" 2>&1
	n=$(cat count) && rm -f count
else
	skip 'into /dev' 'no mount namespace can be had'
fi
rm -f stdout.file

# -- names that are too long ------------------------------------------------------------------------
long=$(printf 'a%.0s' $(seq 300))
refused 'a long name' 'File name too long' -o "$long"
refused 'a name whose journal is too long' 'File name too long' -o "${long:0:250}"
refused 'a long path' 'too long' -o "$(printf 'dir/../%.0s' $(seq 700))a"
refused 'no such folder' 'none/a.gz cannot be written: none: No such file' -o none/a.gz

# -- a CSV in the way -------------------------------------------------------------------------------
echo before >s.gz
ln s.gz hard.csv && ln -s s.gz link.csv && ln -s nothing.gz new.csv && ln -s s.gz.partial.3 journal.csv
csv=(--csv process --csv-file)
refused 'CSV onto the snapshot' 's.gz is the snapshot' -o s.gz "${csv[@]}" s.gz
refused 'CSV onto the snapshot, another way' '/s.gz is the snapshot' -o s.gz "${csv[@]}" "$D/dir/../s.gz"
refused 'CSV onto a hard link of it' 'hard.csv is the snapshot' -o s.gz "${csv[@]}" hard.csv
refused 'CSV through a link to it' 'link.csv is the snapshot' -o s.gz "${csv[@]}" link.csv
refused 'CSV through a link to a snapshot to come' 'new.csv is the snapshot' -o nothing.gz "${csv[@]}" new.csv
refused 'CSV onto a snapshot to come' 'nothing.gz is the snapshot' -o nothing.gz "${csv[@]}" nothing.gz
refused 'CSV onto the journal' 's.gz.partial: the recording itself uses this name' -o s.gz "${csv[@]}" s.gz.partial
refused 'CSV onto a journal to come' 's.gz.partial.2: the recording itself uses this name' -o s.gz "${csv[@]}" s.gz.partial.2
refused 'CSV through a link to a journal' 'journal.csv: the recording itself uses this name' -o s.gz "${csv[@]}" journal.csv
refused 'CSV into a folder' 'dir: Is a directory' -o s.gz "${csv[@]}" dir
check_equal 'the snapshot of before is as it was' "$(cat s.gz)" before
echo kept >s.gz.partial
refused 'CSV onto a journal that is there' 's.gz.partial: the recording itself uses this name' -o s.gz "${csv[@]}" s.gz.partial
check_equal 'that journal is as it was' "$(cat s.gz.partial)" kept
rm -f ran
collect -o s.gz --csv process -- touch ran >>s.gz 2>err
check_equal 'CSV to standard output, which is the snapshot: status' "$? $(ls ran 2>/dev/null)" '125 '
check_equal 'one sentence' "$(grep -c 'standard output is the snapshot' err) of $(wc -l <err)" '1 of 1'
runs 'CSV beside it' -o s.gz "${csv[@]}" s.csv
check_equal 'the CSV has rows' "$([ "$(wc -l <s.csv)" -ge 2 ] && reads s.gz && echo both)" both
runs 'CSV through a link to a device' -o s.gz "${csv[@]}" to-device
check_equal 'the link is there' "$(readlink to-device)" /dev/null
collect -o s.gz "${csv[@]}" /dev/stdout -- echo out >mixed 2>err
check_equal 'CSV to /dev/stdout, a file: what the job writes is there' "$? $(grep -c '^out$' mixed)" '0 1'
check_equal 'and the CSV' "$(grep -c '^"timestamp"' mixed) $([ "$(wc -l <mixed)" -ge 3 ] && echo rows)" '1 rows'

# -- many at once -----------------------------------------------------------------------------------
# All of them wait for one lock, so that they begin at once.
many=${RTRACK_ROUNDS:-300}
[ "$many" -le 300 ] || many=300
rm -f s.gz* s.*.gz && : >lines && : >err
exec 9>lock
flock 9
for i in $(seq "$many"); do
	(
		exec 9>&-
		flock -s lock true
		collect -o s.gz -- sh -c 'echo ran >>lines; exit 7' 2>>err
		[ $? = 7 ] || echo "status $?" >>err
	) &
done
exec 9>&-
wait
check_equal "$many starts on one name: each job has run" "$(wc -l <lines)" "$many"
check_equal 'nothing is said but who has another name' "$(grep -vc 'another recorder has written s.gz' err)" 0
check_equal 'each has its recording' "$(find . -name 's*.gz' | wc -l)" "$many"
check_equal 'the snapshots are whole, nothing is left' "$(reads s.gz && gzip -t s*.gz && ls -A | grep '^s.gz\|\.rtrack')" s.gz
rm -f s.*.gz
# Where all names that are counted have been left.
for i in '' $(seq -f .%g 2 100); do echo old >s.gz.partial$i; done
runs 'after a hundred that were killed' -o s.gz
check_equal 'their journals are as they were' "$(cat s.gz.partial* | sort | uniq -c | tr -s ' ')" ' 100 old'
check_equal 'a folder with numbered journals holds them all' \
	"$(mkdir left && cp s.gz left/a.gz.partial.12 && "$P" --offline --text - left 2>err | grep -c 'Ended with status 7')" 1
# Recorders on one output lose nothing, at the same time or one after the other.
mkdir same && cd same || exit 1
"$R" -q -o run.json.gz -- sh -c 'until [ -e go ]; do sleep 0.02; done' 2>err &
wait_until test -s run.json.gz.partial
"$R" -q -o run.json.gz -- true && "$R" -q -o run.json.gz -- sh -c 'exit 3'
check_equal 'the last run has the name, the one before is kept' \
	"$(echo *) $(zcat run.json.gz run.2.json.gz | grep -o '"exit":{"code":[0-9]' | tr '\n' ' ')" \
	'err run.2.json.gz run.json.gz run.json.gz.partial "exit":{"code":3 "exit":{"code":0 '
# What cannot be looked into, or is damaged, may be a recording.
mkdir ../hidden && chmod 777 ../hidden && echo earlier >../hidden/run.json.gz && chmod 000 ../hidden/run.json.gz
head -c 100 run.json.gz >../hidden/cut.json.gz && chmod 666 ../hidden/cut.json.gz
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
(cd ../hidden && for f in run cut; do as "$R" -q -o $f.json.gz -- true; done)
chmod 600 ../hidden/run.2.json.gz
check_equal 'one that is not readable, or is damaged, is kept' \
	"$(cat ../hidden/run.2.json.gz) $(stat -c %s ../hidden/cut.2.json.gz)" 'earlier 100'
before=$(cksum <run.json.gz)
touch go && wait $!
check_equal 'one that began before both does not' "$(cksum <run.json.gz) $(ls | tr '\n' ' ')" "$before err go run.2.json.gz run.3.json.gz run.json.gz "
check_equal 'and says so' "$(cat err)" \
	'rtrack-collect: another recorder has written run.json.gz; this recording is run.3.json.gz'
rm -f ./*
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$R" -q --no-discover-cloud -o run.json -- sh -c "until [ -e go ]; do sleep 0.02; done; exit $i" 2>/dev/null &
done
wait_until eval '[ "$(cat run.json.partial* 2>/dev/null | wc -l)" -ge 10 ]'
wait_until eval '[ "$(ls run.json.partial* | wc -l)" = 10 ]'
touch go && wait
check_equal 'ten that end at once are ten recordings' \
	"$(ls run*.json | wc -l) $(cat run*.json | grep -oE '"exit":\{"code":[0-9]+' | sort -u | wc -l) $(ls -A | grep -c -e tmp -e partial)" '10 10 0'
cd .. || exit 1

echo "1..$n"
