# --detail on captured machines: each device once, under the kernel's name.
R=$(realpath "$B")/rtrack-collect P=$(realpath "$B")/rtrack-report F=$MACHINES D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# Records until there is a row.
replay() {
	rm -f c.csv a.gz
	"$R" -q -i 0.1 -o a.gz --detail --csv system --csv-file c.csv --root "$1" &
	while kill -0 $! 2>/dev/null && ! grep -q '^[0-9]' c.csv 2>/dev/null; do sleep 0.05; done
	kill -INT $!
	wait $!
}
detail() { zcat a.gz | grep -o '"detail_metrics":.*' | grep -oE '"[^"]*":\[[^],]*' | sed -E 's/^("timestamp":).*/\1/; s/:\[/ /'; }
notes() { zcat a.gz | grep -o '"notes":\[[^]]*\]' | grep -o '"[^"]* themselves: [^"]*"'; }
for machine in idle-vm container hostile; do
	echo "== $machine"
	replay "$F/$machine"
	detail
	notes
done
echo "== cpus-64"
replay "$F/cpus-64"
detail | sed -nE '1,4p; /cpu\.63/,$p'

echo "== more than there is room for"
mkdir -p many/proc/self
cp "$F/idle-vm/proc/meminfo" many/proc
seq 0 299 | awk 'BEGIN { print "cpu  3000 0 3000 90000 0 0 0 0" } { print "cpu" $1 " 10 0 10 300 0 0 0 0" }' >many/proc/stat
mkdir -p many/proc/net
seq 0 69 | awk '{ print "  if" $1 ": 1 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1" }' >many/proc/net/dev
long=$(printf '%0300d' 0)
printf '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /a.b<\\040script>;\\033[31m rw - ext4 /dev/sda2 rw\n3 1 8:3 / /%s rw - ext4 /dev/sda3 rw\n' "$long" >many/proc/self/mountinfo
printf '/ 4096 1000 500 400 9\n/a.b<\\040script>;\\033[31m 4096 100 50 40 8\n/%s 4096 1 1 1 7\n' "$long" >many/proc/rtrack-statvfs
replay many
detail | cut -d. -f1 | sort | uniq -c
detail | grep file_system
notes | tr , '\n'
"$P" --offline a.gz -o a.html --json - | grep -o '"rest":"[0-9][^"]*"'
grep -c "<script>;" a.html

echo "== not with --no-system"
"$R" --detail --no-system true
echo "status $?"
