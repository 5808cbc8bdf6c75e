# Wrong usage: one sentence that says what would be right, and status 125. Nothing is run or written.
unset ${!SLURM*} ${!PBS*} ${!LSB*} ${!OMPI*} ${!PMI*} SGE_TASK_ID RANK JOB_COMPLETION_INDEX AWS_BATCH_JOB_ID
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

try() {
	echo "$ rtrack-collect $*"
	"$R" "$@" 2>&1
	echo "status $?"
}
try --
try --outptu a.gz touch ran
try -x touch ran
try -i 0 touch ran
try -i 1x touch ran
try --interval
try --quiet=yes touch ran
try -p 1 touch ran
try -p -1
try --root / touch ran
try --root none
try --wait-all
try --end-fd 3 touch ran
try --no-children
try --mark load -o a.gz
try --mark load --recover a.partial
try --recover a.partial --name b
try --recover a.partial -v
try --info -i 2
try --info --pid 1
try --schema 3 touch ran
try --csv rows touch ran
try --csv process
try --csv-file a.csv touch ran
try --tag stage touch ran
try -o %x touch ran
try -o %j touch ran
try -o %a touch ran
try -o %r touch ran
SLURM_JOB_ID=1 try -o %a touch ran
try -o s3:// touch ran
try -o s3:///key touch ran
try -o s3://KEY:SECRET@bucket/key touch ran
try -o 'http://host/a?sig=%2FSECRET' touch ran
try -o $'s3://bucket/a\nb' touch ran
try -o s3://bucket/%x touch ran
try -o "s3://bucket/$(printf '%1000s' | tr ' ' a)" touch ran | sed 's/aaa*/a…/g'
try -o 'https://host/a b' touch ran
try --upload-every 5 touch ran
try --upload-every 0.1 -o s3://bucket/key touch ran
try --upload-every 5 -o https://host/a touch ran
try --upload-limit 5 touch ran
try --recover s3://bucket/
try --recover ''
try --recover s3://bucket/key -o a.json.gz
cp "$R" .
R=$PWD/rtrack-collect PATH=/nowhere try -o s3://bucket/key /usr/bin/touch ran
rm rtrack-collect
try --asked cpus=8x touch ran
try --asked ram=8 touch ran
try --asked cpus=8
try $'--\e[31mred' touch ran
ls -A
try --version
try --help | sed -n '2,11p;$p'
try --list-metrics
