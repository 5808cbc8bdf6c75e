# What to ask for with an input: from a folder and from a catalog, for people and for each tool; several jobs; nothing known.
F=$(realpath "$B")/rtrack-fleet D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# run FILE NAME START INPUT MEMORY_PEAK WALL [STATUS CODE]: a genome, which is the same each time, and reads
run() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"%s","user":"ann","host":"n1","start":%s,"wall_s":%s,"samples":3600,"status":"%s","code":%s,"oom_kills":0,"cpu_s":%s,"cores_mean":3,"cores_peak":4,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":8,"asked_memory_bytes":68719476736,"asked_memory_source":"scheduler","vcpus":16,"machine_memory_bytes":137438953472,"input_bytes":%s,"input_sizes":"1=3000000000;--reads=%s"}}\n' \
		"${1##*/}" "$2" "$3" "$6" "${7:-finished}" "${8:-0}" "$(($6 * 3))" "$5" "$5" "$((3000000000 + $4))" "$4" >"$1"
}
mkdir runs
for i in 1 2 3 4 5 6 7 8; do
	run runs/align-$i.json align $((1795000000 + i * 4000)) ${i}00000000 $((400000000 + i * 200000000 + i % 3 * 1000000)) $((100 + i * 60))
done
run runs/failed.json align 1795100000 100000000 99000000000 5 failed 1
truncate -s 450000000 reads.fq
mkdir folder

fleet() {
	echo "$ rtrack-fleet $*"
	SOURCE_DATE_EPOCH=1795200000 "$F" "$@" >out 2>&1
	echo "status $?" >>out
	sed "s,$D,FOLDER,g" out
	rm out
}
fleet ask --input reads.fq runs
fleet ask --input reads.fq --risk thrifty runs
for tool in slurm snakemake nextflow kubernetes shell; do
	fleet ask --input reads.fq --for $tool runs
done
echo '--- a size, two files, more than was seen'
fleet ask --input 450MB --for slurm runs
fleet ask --input reads.fq,reads.fq --for slurm runs
fleet ask --input 10GB runs
echo '--- CPUs, by the time with others'
mkdir wide
for file in runs/align-*; do
	sed 's/"input_bytes"/"time_at":[2.9,1.5,1.06,1.01,1,1,1,1,1],&/' "$file" >"wide/${file##*/}"
done
fleet ask --input reads.fq wide
fleet ask --input reads.fq --for slurm wide
fleet ask --input reads.fq --slowdown 0 wide
fleet ask --input reads.fq --slowdown 60% --for slurm wide
echo '--- a catalog'
"$F" add --catalog runs.db runs
fleet ask --catalog runs.db --input reads.fq --for slurm
fleet ask --catalog runs.db --input reads.fq --for slurm --since 2026-11-18T15:33:20Z
echo '--- several jobs'
run runs/other.json sort 1795090000 5 2000000000 100
fleet ask --input reads.fq --for slurm runs
fleet ask --input reads.fq --for slurm --where name=align runs
fleet ask --input reads.fq --for slurm --where name=sort runs
echo '--- nothing is known'
fleet ask --input reads.fq --for slurm --where name=nobody runs
fleet ask --input reads.fq --for slurm folder
fleet ask --input reads.fq --for slurm nosuch
fleet ask --input nosuch.fq --for slurm runs
fleet ask --input folder --for slurm runs
fleet ask --input 5 runs
fleet ask --input 1e30GB --for slurm runs
echo '{"rtrack_row' >folder/broken.json
fleet ask --input reads.fq --for slurm folder
fleet ask --input reads.fq --for slurm folder/broken.json wide
"$F" add --catalog empty.db folder 2>&1 | sed "s,$D,FOLDER,"
fleet ask --input reads.fq --for slurm --catalog empty.db
fleet ask --input reads.fq --for slurm --catalog nosuch.db
echo '--- in a submit script'
# shellcheck disable=SC2046
echo sbatch $("$F" ask --input reads.fq --for slurm --where name=align runs || echo --mem=16G) job.sh
# shellcheck disable=SC2046
echo sbatch $("$F" ask --input reads.fq --for slurm folder 2>/dev/null || echo --mem=16G) job.sh
echo '--- wrong usage'
fleet ask --input reads.fq
fleet ask --input reads.fq --catalog runs.db runs
fleet ask --input reads.fq --for sbatch runs
fleet ask --for slurm runs
fleet ask --input reads.fq --slowdown little runs
fleet ask --input reads.fq -o page.html runs
