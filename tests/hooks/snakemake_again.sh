# A rule of Snakemake 7 that asks for what its last attempt lacked (--end-file), with a cluster that limits memory as it is asked.
. tests/check.sh
. tests/hooks/recipe.bash
command -v snakemake >/dev/null || skip_all 'snakemake is not installed'
case $(snakemake --version) in 7.*) ;; *) skip_all 'snakemake is not version 7' ;; esac
# The memory controller below our cgroup: v1 where it is mounted, else v2.
path=$(sed -n 's/^[0-9]*:\([^:]*,\)\?memory\(,[^:]*\)\?:\//\//p' /proc/self/cgroup)
place=$(awk '/ - cgroup .*[, ]memory(,|$)/ { print $5; exit }' /proc/self/mountinfo) file=memory.limit_in_bytes
if [ -z "$path" ]; then
	path=$(sed -n 's/^0::\//\//p' /proc/self/cgroup) file=memory.max
	place=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
fi
dir=$place${path%/}/rtrack_again-$$
clean_up() { find "$dir" -depth -type d -exec rmdir {} \; 2>/dev/null; }
mkdir "$dir" 2>/dev/null && [ -e "$dir/$file" ] || skip_all 'no memory limit may be set'
cd "$D" || exit 1
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
{ recipe snakemake-again && printf 'rule all:\n    input: "a.bam", "b.bam"\n'; } | sed 's/, 4000)/, 500)/' >Snakefile
# a needs 700 MB; b fails, for another reason, in its first attempt.
cat >align <<'END'
#!/bin/bash
echo "$1" >>"$2.asked"
if [ "$2" = b.bam ]; then [ "$(wc -l <b.bam.asked)" = 2 ] || exit 5; fi
[ "$2" = b.bam ] || head -c 700000000 /dev/zero | tail -c 700000000 >/dev/null || exit 6
touch "$2"
END
cat >limited <<'END'
#!/bin/bash
mkdir "$DIR/$1.$$" && echo $(($1 * 1000000)) >"$DIR/$1.$$/$FILE" && echo $$ >"$DIR/$1.$$/cgroup.procs" || exit 1
bash "$2" >"$1.$$.log" 2>&1 &
echo $!
END
chmod +x align limited
DIR=$dir FILE=$file snakemake --cluster './limited {resources.mem_mb}' -j2 --retries 1 --latency-wait 20 --nocolor all >log 2>err
check_equal 'both are made' "$? $(echo *.bam)" '0 a.bam b.bam'
check_equal 'what a asked: twice the limit, in whole pages' "$(paste -sd ' ' a.bam.asked)" '500 999'
check_equal 'what b asked: the same again' "$(paste -sd ' ' b.bam.asked)" '500 500'
echo "1..$n"
