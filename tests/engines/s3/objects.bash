# What is put into a store comes back, under any key; as SOURCE and as output.
s3 make objects
cp a.json.gz other.bin

# -- keys ------------------------------------------------------------------------------------------------------------------
keys=('plain.json.gz' 'a b/c d.json.gz' 'a+b.json.gz' '100%.json.gz' 'a%20b.json.gz' 'größe-測試-🙂.json.gz' '(1) [2] {3}.json.gz'
	"it's \"quoted\".json.gz" 'two//slashes.json.gz' 'a/../b.json.gz' './dot.json.gz' "&<>;:@=,\$!*'~^\`|\\#?.json.gz"
	'/begins/with/slash.json.gz' "$(printf 'k%.0s' {1..900})" 'e&#13;.json.gz')
for key in "${keys[@]}"; do
	shown=${key:0:40}
	check "put: $shown" put a.json.gz "s3://objects/$key"
	s3 get objects "$key" >got
	check "the same bytes: $shown" cmp got a.json.gz
	rm -f back
	check "get: $shown" get back "s3://objects/$key"
	check "the same bytes again: $shown" cmp back a.json.gz
done
check_equal 'no other keys were made' "$(s3 list objects)" \
	"$(printf '%s\0' "${keys[@]}" | LC_ALL=C sort -z | node -e 'for (const k of require("fs").readFileSync(0, "utf8").split("\0").slice(0, -1)) console.log(JSON.stringify(k))')"
check 'an address with a line break is refused' fails put a.json.gz $'s3://objects/a\nb'
check 'and one without a key' fails put a.json.gz s3://objects
check 'a key that is too long' fails put a.json.gz "s3://objects/$(printf 'k%.0s' {1..1025})"
check_equal 'type of a recording' "$(s3 type objects plain.json.gz)" application/gzip

# -- as SOURCE -------------------------------------------------------------------------------------------------------------
for key in 'plain.json.gz' 'a b/c d.json.gz' 'a+b.json.gz' '100%.json.gz' 'größe-測試-🙂.json.gz' 'two//slashes.json.gz' 'a/../b.json.gz'; do
	rm -f s3.csv
	check "a report of $key" page --csv s3.csv "s3://objects/$key"
	check "has the same rows: $key" cmp file.csv s3.csv
done
check_equal 'nothing was left in the current folder' "$(ls -d s3: *.partial 2>/dev/null)" ''
for i in 1 2 3; do
	"$R" -q -i 0.05 --no-discover-cloud --name step -o "run$i.json.gz" -- sleep 0.3 2>>everything
	put "run$i.json.gz" "s3://objects/runs/run$i.json.gz"
done
put other.bin s3://objects/runs/notes.txt
put run1.json.gz s3://objects/runs/deeper/run9.json.gz
runs_of() { grep -o '"samples":[0-9]*' "$1" | wc -l; }
mkdir -p runs && cp run?.json.gz runs
page --json folder.json runs
for source in 's3://objects/runs/run*.json.gz' 's3://objects/runs/run?.json.gz' 's3://objects/runs/run[1-3].json.gz'; do
	check "a glob: $source" page --json s3.json "$source"
	check_equal "its runs: $source" "$(runs_of s3.json)" "$(runs_of folder.json)"
done
check 'a prefix' page --json s3.json s3://objects/runs/
check 'some outputs' page --text text --markdown md -o page.html s3://objects/runs/run1.json.gz
check_equal 'the page loads nothing' "$(grep -c 'src="\(http\|s3\)' page.html)" 0
check 'nothing matches: told' fails page -o none.html 's3://objects/runs/nope*.gz'
check 'with the address' has err 's3://objects/runs/nope\*.gz'
check 'an object that is not there: told' fails page -o none.html s3://objects/nope.json.gz
check 'with its address' has err s3://objects/nope.json.gz
check_equal 'and no page' "$(ls none.html 2>/dev/null)" ''
put other.bin s3://objects/broken.json.gz
head -c 300 a.json.gz >cut.json.gz && put cut.json.gz s3://objects/broken.json.gz
page --json - s3://objects/broken.json.gz
check_that "a recording that is cut is never read as whole" "$(grep -c '"unfinished"\|end too early\|damaged' everything) > 0"

# -- as output -------------------------------------------------------------------------------------------------------------
SOURCE_DATE_EPOCH=$(date +%s) # one moment for both
export SOURCE_DATE_EPOCH
check 'outputs into the store' page -o 's3://objects/out/report 1+2.html' --text s3://objects/out/r.txt --json s3://objects/out/r.json \
	--csv s3://objects/out/r.csv a.json.gz
page -o local.html --text local.txt --json local.json --csv local.csv a.json.gz
for pair in 'report 1+2.html:local.html' r.txt:local.txt r.json:local.json r.csv:local.csv; do
	s3 get objects "out/${pair%:*}" >got
	check "as on disk: ${pair%:*}" cmp got "${pair#*:}"
done
unset SOURCE_DATE_EPOCH
check_equal 'type of a page' "$(s3 type objects 'out/report 1+2.html')" 'text/html; charset=utf-8'
check_equal 'type of JSON' "$(s3 type objects out/r.json)" application/json
check 'from the store into the store' page -o s3://objects/out/again.html s3://objects/plain.json.gz
check_equal 'its type' "$(s3 type objects out/again.html)" 'text/html; charset=utf-8'
s3 delete objects
