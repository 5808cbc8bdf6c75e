# Captured machines are replayed with --root: the rows hold what their files say.
R=$(realpath "$B")/rtrack-collect F=$MACHINES D=$(mktemp -d)
. tests/cli/until_sampled.bash
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# The first row, without its time; the recording ends when it is there.
row() {
	rm -f c.csv a.gz
	"$R" -q -i 0.2 -o a.gz --csv-file c.csv --csv "$@" &
	while kill -0 $! 2>/dev/null && ! grep -q '^[0-9]' c.csv 2>/dev/null; do sleep 0.05; done
	kill -INT $!
	wait $!
	head -n 2 c.csv | cut -d, -f2-
	rm -f c.csv
}
server() { zcat a.gz | grep -o '"server_info":{[^}]*}'; }
for machine in idle-vm cpus-64 container hostile; do
	echo "== $machine"
	row system --root "$F/$machine"
	server
	row system --schema 2 --root "$F/$machine" | tail -n 1
done
echo "== all columns"
row system --all-columns --root "$F/cpus-64"
for tree in idle-vm/1200 cpus-64/4000 container/1 hostile/100; do
	echo "== the tree of $tree"
	row process -p "${tree#*/}" --root "$F/${tree%/*}"
	zcat a.gz | grep -o '"job":{[^}]*}'
	zcat a.gz | grep -o '"notes":\[[^]]*\]' | sed -E 's/in [0-9]+ of [0-9]+ samples/in N of N samples/g; s/"[0-9]+ samples? w[a-z]+ skipped: [^"]*",?//'
done
row process -p 1200 --schema 2 --root "$F/idle-vm"
echo "== no such process there"
"$R" -o a.gz -p 77 --root "$F/idle-vm"
echo "status $?"
echo "== a hostile host"
mkdir -p machine/proc/sys/kernel
cp "$F/idle-vm/proc/stat" "$F/idle-vm/proc/meminfo" machine/proc
printf '</script><script>alert(1)</script>"\047\033[31m\n' >machine/proc/sys/kernel/hostname
until_sampled '*script*.gz.partial' "$R" -q --root machine -o '%h.gz'
ls -A
zcat ./*script*.gz | grep -o '"host":"[^,]*'
