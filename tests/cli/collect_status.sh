# The status of the collector is that of the command; 125 to 127 where it did not run.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-collect $*"
	"$R" "$@" 2>&1 | sed -E 's/[0-9]+\.[0-9]+ s,/N s,/; s/[0-9.]+ cores/N cores/; s/peak memory .* MiB/peak memory N MiB/'
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
# Links are not followed, and a journal that is there is another's.
ln -s ran link.gz
echo old >c.gz.partial
try -q -o link.gz true
try -q -o c.gz true
cat c.gz.partial
# What a failed start leaves: nothing.
ls -A
zcat a.gz | grep -o '"exit":{[^}]*}'
