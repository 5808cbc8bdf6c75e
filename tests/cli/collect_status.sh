# The collector exits with the command's status, or with 125 to 127 if the command did not run.
R=$(realpath "$B")/rtrack-collect F=$MACHINES D=$(mktemp -d)
. tests/cli/until_sampled.bash
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-collect $*"
	# What else was seen depends on the machine: tests/live/deaths.sh.
	"$R" "$@" 2>&1 | sed -E 's/^(rtrack-collect: (ended with status 7|killed by SIGKILL))[;,] .*(seen|kill|did|known|left or more)$/\1 WHY/; s/[0-9]+\.[0-9]+ s,/N s,/; s/[0-9.]+ cores/N cores/; s/peak memory .* MiB/peak memory N MiB/'
	echo "status ${PIPESTATUS[0]}"
}
touch not-executable
printf '#!/no/such/interpreter\n' >broken-script
chmod +x broken-script
mkdir directory file.gz
try -o a.gz -- sh -c 'exit 7'
try -o a.gz true
try -q -o a.gz false
try -o a.gz -- sh -c 'kill -TERM $$'
try -o a.gz -- sh -c 'kill -KILL $$'
try -o b.gz /no/such
try -o b.gz no-such-command
try -o b.gz ./not-executable
try -o b.gz ./directory
try -o b.gz ./broken-script
try -o none/b.gz -- touch ran
try -o directory -- touch ran
try -o /dev/null -- touch ran
try -o 'x%y.gz' -- touch ran
try --csv process --csv-file none/b.csv -o b.gz -- touch ran
try -p 999999999 -o b.gz
# A process that is followed to its end, or on a captured machine; and a machine by itself, which has no
# memory of its own.
sleep 600 &
pid=$!
(sampled p.gz.partial; kill $pid) &
"$R" -p $pid -o p.gz 2>&1 | sed -E "s/ $pid / PID /; s/[0-9]+\.[0-9]+ s,/N s,/; s/[0-9.]+ cores/N cores/; s/memory .* MiB/memory N MiB/"
until_sampled m.gz.partial "$R" -i 0.2 --root "$F/cpus-64" -o m.gz 2>&1 | sed -E 's/[0-9]+\.[0-9]+ s,/N s,/; s/[0-9.]+ cores/N cores/'
for memory in 100 81920 20971520; do
	mkdir -p m/proc/7 && cp "$F/idle-vm/proc/stat" "$F/idle-vm/proc/meminfo" m/proc
	echo '7 (job) S 1 7 7 0 -1 0 0 0 0 0 100 50 0 0 20 0 1 0 100 1000 10 0' >m/proc/7/stat
	printf 'Rss: %d kB\nPss: %d kB\n' $memory $memory >m/proc/7/smaps_rollup
	until_sampled m.gz.partial "$R" -i 0.2 --root m -p 7 -o m.gz 2>&1 | sed -E 's/[0-9]+\.[0-9]+ s,/N s,/'
	rm -rf m.gz m
done
rm -f p.gz m.gz
# Links are not followed, and a journal that is there is another's.
ln -s ran link.gz
echo old >c.gz.partial
try -q -o link.gz true
try -q -o c.gz true
cat c.gz.partial
# What a failed start leaves: nothing.
ls -A
zcat a.gz | grep -o '"exit":{[^}]*}'
