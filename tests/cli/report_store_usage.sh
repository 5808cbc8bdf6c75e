# Wrong usage of addresses of object stores, --put and --get: one sentence, and status 2. Nothing is written or sent.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-report $*"
	"$R" "$@" 2>&1
	echo "status $?"
}
try_fleet() {
	echo "$ rtrack-fleet $*"
	"$F" "$@" 2>&1
	echo "status $?"
}
try --put a.json.gz
try --put a.json.gz s3://bucket/a.json.gz s3://bucket/b.json.gz
try --put a.json.gz b.json.gz
try --put '' s3://bucket/a
try --put a.json.gz s3://bucket
try --put a.json.gz s3://bucket/runs/
try --put a.json.gz s3:///a
try --put a.json.gz 's3://KEY:SECRET@bucket/a'
try --put a.json.gz 'https:///a?sig=SECRET'
try --put 'https://h/a?sig=SECRET' s3://bucket/a
try --get 'HTTPS://h/a?sig=SECRET' s3://bucket/a
try --get s3://bucket/b s3://bucket/a
try --put a.json.gz 'https://host?sig=SECRET'
try --put a.json.gz 'http://host/a?sig=SECRET'
try --put a.json.gz --get b.json.gz s3://bucket/a
try --put a.json.gz --text - s3://bucket/a
try --put a.json.gz --vendor aws s3://bucket/a
try --get b.json.gz --offline s3://bucket/a
try --get b.json.gz --history 5 s3://bucket/a
try --get b.json.gz 'https://host/a?sig=SECRET'
try --get b.json.gz s3://bucket/
try --pieces 60 s3://bucket/a
try --put a.json.gz --pieces 0 s3://bucket/a
try --put a.json.gz --pieces 60 'https://host/a?sig=SECRET'
try --put - --pieces 60 s3://bucket/a
try --put a.json.gz --time-limit 0 s3://bucket/a
try 'https://host/a.json.gz?sig=SECRET'
try 'http://host/a.json.gz?sig=SECRET'
try gs://bucket/a.json.gz
try s3://buck:et/a.json.gz
try --current s3://bucket/runs/ a.json.gz
try --current 'https://host/a?sig=SECRET' a.json.gz
try --model s3://bucket/model.json
try -o s3://bucket/runs/ a.json.gz
try -o s3://bucket a.json.gz
try -o 'http://host/p.html?sig=SECRET' a.json.gz
try -o gs://bucket/p.html a.json.gz
try -o 'https://?sig=SECRET' a.json.gz
try -o s3://bucket/p.html --text s3://bucket/p.html a.json.gz
try -o 'https://host/p?sig=SECRET' --text 'https://host/p?sig=SECRET' a.json.gz
try -o s3://bucket/run.json.gz a.json.gz
try --markdown s3://bucket/run.json.gz.partial a.json.gz
try -o s3://bucket/run.json a.json.gz
try -t @snakemake.tsv=s3://bucket/ a.json.gz
try -t '=https://host/p?a=b' a.json.gz
try --open -o s3://bucket/p.html a.json.gz
try_fleet groups --catalog s3://bucket/runs.db
try_fleet add --catalog runs.db https://host/a.json.gz
ls
