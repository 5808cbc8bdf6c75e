# Whose a run is in a shared folder, of which each user has a folder, named by the user's ID: nobody can make rows of others.
. tests/check.sh
[ "$(id -u)" = 0 ] || skip_all 'only root can make files of several users'
cd "$D" || exit
chmod 755 .
bad=$(id -u nobody) good=$(id -u daemon)
mkdir -p s/"$bad" s/"$good" other out
chmod 755 s
"$R" -q --no-discover-cloud -o a.json.gz -- sleep 0.05
# recording FILE USER ID JOB_ID NAME: as user USER says of itself
recording() {
	zcat a.json.gz | sed -E '1s/("rtrack_row":\{"id":")[^"]*("[^}]*"name":")[^"]*("[^}]*"user":")[^"]*"/\1'"$3"'\2'"$5"'\3'"$2"'"/
		1s/"job_id":[^,}]*/"job_id":"slurm\/hpc\/'"$4"'\/0"/' | gzip >"$1"
}
accounting() { # FILE USER JOB STATE
	printf 'JobIDRaw|Cluster|JobName|User|State|ExitCode|Submit|Start|End|ElapsedRaw|ReqTRES|NNodes\n%s|hpc|solve|%s|%s|0:0|1795000000|1795000010|1795003610|3600|cpu=64,mem=900G,node=1|1\n' "$3" "$2" "$4" >"$1"
}
give() { chown -h "$1" "${@:2}" && chown "$1" "s/$1"; }
rows() { # user:name:cpus:end of each row
	"$F" runs --offline --json out/r.json "$@" >out/log 2>err
	node -e 'const {runs} = JSON.parse(require("fs").readFileSync("out/r.json")); console.log(runs.rows.map(r => [r.user, r.name, r.origin].join(":")).sort().join(" "))' 2>&1
	rm -f out/r.json
}
recording s/"$good"/job.json.gz daemon aaaaaaaaaaaaaaaa 7 solve
accounting s/sacct.txt daemon 7 COMPLETED
give "$good" s/"$good" s/"$good"/job.json.gz
give "$bad" s/"$bad"
plain='daemon:solve:recorded+sacct'
check_equal 'a recording and the accounting of root' "$(rows s)" "$plain"

# attack NAME WORDS: what lies in the folder of nobody changes no row of daemon's, and is named
attack() {
	give "$bad" s/"$bad"/* 2>err
	check_equal "$1" "$(rows s)" "${3-$plain}"
	check "$1: it is said" grep -q "$2" err
	rm -rf s/"$bad"/*
}
accounting s/"$bad"/x.txt daemon 7 OUT_OF_MEMORY
attack 'accounting in the folder of a user' 'x.txt: left out'
mkdir s/"$bad"/deep
accounting s/"$bad"/deep/x.log daemon 7 OUT_OF_MEMORY
chown -R "$bad" s/"$bad"
chmod 777 s/"$bad"
attack 'below it, where all may write' 'x.log: left out'
chmod 755 s/"$bad"
recording s/"$bad"/a.json.gz daemon bbbbbbbbbbbbbbbb 9 solve
attack 'a recording that says that it is of another user' 'a.json.gz: left out: by owner and folder a run of nobody, but'
recording s/"$bad"/a.json.gz nobody bbbbbbbbbbbbbbbb 7 evil
attack 'a recording with the number of the job of another' 'not joined' "$plain nobody:evil:recorded"
recording s/"$bad"/0.json.gz nobody aaaaaaaaaaaaaaaa 8 evil
give "$bad" s/"$bad"/*
check_equal 'one with the ID of a recording of another' "$(rows s)" "$plain nobody:evil:recorded"
rm s/"$bad"/*
cp -p s/"$good"/job.json.gz other/secret.json.gz
ln -s "$D"/other/secret.json.gz s/"$bad"/a.json.gz
attack 'a link to a file of another' 'a.json.gz: left out: a link'
ln -s "$D"/other/secret.json.gz s/"$bad"/a.json.gz
rows s >out/rows
check 'what it leads to is not said' sh -c '! grep -q secret err out/log'
rm s/"$bad"/*
recording s/"$bad"/a.json.gz daemon bbbbbbbbbbbbbbbb 9 solve
chown "$good" s/"$bad"/a.json.gz
check_equal 'a file of another, moved or linked into the folder' "$(rows s)" "$plain"
check 'it is said' grep -q 'a.json.gz: left out: the file belongs to another user' err
rm s/"$bad"/*
accounting s/"$bad"/x.txt daemon 7 OUT_OF_MEMORY
give "$bad" s/"$bad"/x.txt
rows s/"$bad" >out/rows
check 'a folder or a file that is named is no other' grep -q 'x.txt: left out' err
rows s/"$bad"/x.txt >out/rows
check 'a file that is named is no other' grep -q 'x.txt: left out' err
rm s/"$bad"/*
mkdir s/project
accounting s/project/x.txt daemon 7 OUT_OF_MEMORY
chown -R "$bad" s/project
check_equal 'a folder with another name beside them' "$(rows s)" "$plain"
rm -r s/project
recording s/a.json.gz daemon bbbbbbbbbbbbbbbb 9 solve
chown "$bad" s/a.json.gz
check_equal 'a recording beside the folders of users' "$(rows s)" "$plain"
check 'it is said, too' grep -q 'a.json.gz: left out' err
rm s/a.json.gz
recording s/"$bad"/a.json.gz nobody bbbbbbbbbbbbbbbb 7 evil
give "$bad" s/"$bad"/a.json.gz
"$F" add --catalog out/c.db s >out/log 2>err
"$F" add --catalog out/c.db s/sacct.txt >out/log 2>err
check_equal 'in a catalog, one after the other' "$(rows --catalog out/c.db)" "$plain nobody:evil:recorded"
echo "1..$n"
