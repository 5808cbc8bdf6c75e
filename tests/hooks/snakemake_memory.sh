# The lines to paste for Snakemake 7 where memory follows the input: a function of it, which asks for twice as much when a job
# runs again.
. tests/check.sh
command -v snakemake >/dev/null || skip_all 'snakemake is not installed'
case $(snakemake --version) in 7.*) ;; *) skip_all 'snakemake is not version 7' ;; esac
mkdir "$D/runs" && cd "$D" || exit 1
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
# Twelve runs that need 6 times their input and 20 to 22 MiB.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf '{"metadata":{"interval":1,"start_time":%d,"stop_time":%d},"server_info":{"vcpus":4,"memory_mb":65536},
		"rtrack":{"exit":{"code":0,"cause":"exited"},"inputs":[{"name":"a.fq","bytes":%d,"via":"argument","at":"1"}]},
		"process_metrics":{"timestamp":[%d,%d],"cpu_usage":[1,1],"memory":[1024,%d]}}' \
		"${i}000" "${i}060" $((i * 100 * 1048576)) "${i}001" "${i}002" $(((i * 600 + 20 + i % 3) * 1024)) >"runs/$i.json"
done
"$P" --offline --json model.json runs || exit 1
cat >Snakefile <<'END'
rule all:
    input: "small.done", "large.done"
rule align:
    input: "{s}.fq"
    output: "{s}.done"
    shell: "echo {resources.mem_mb} >>{wildcards.s}.log; [ $(wc -l <{wildcards.s}.log) = 2 ] && touch {output}"
END
node -e 'console.log(JSON.parse(require("fs").readFileSync("model.json")).advice.snippets
	.find((s) => s.id === "snakemake").text.replace(/^/gm, "    "))' >lines
sed -i '/output: "{s}/r lines' Snakefile
check 'the lines have a function' grep -q 'mem_mb=lambda' Snakefile
truncate -s 50M small.fq
truncate -s 1100M large.fq
snakemake -c1 --nocolor --retries 1 >log 2>err
check_equal 'snakemake runs both, each in its second attempt' "$? $(wc -l <small.log) $(wc -l <large.log)" '0 2 2'
# 622 MiB are 652 MB; 6 × 1100 + 22 MiB are 6944 MB.
check 'the smallest need for less input than any' test "$(sed -n 1p small.log)" -ge 652
check 'what it needs, and a tenth' test "$(sed -n 1p large.log)" -ge 7638
check 'not much more' test "$(sed -n 1p large.log)" -le 8100
check_equal 'twice as much for the second attempt' "$(sed -n 2p large.log)" $((2 * $(sed -n 1p large.log)))
echo "1..$n"
