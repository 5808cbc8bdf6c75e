# Messages to owners: whole ones, by the site's rules, to accounts; what was said is not said again; hostile names.
F=$(realpath "$B")/rtrack-fleet D=$(realpath "$(mktemp -d)") docs=$(realpath docs)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# run FILE NAME USER START CPU_S MEMORY_PEAK MORE: ten hours on 8 CPUs and 64 GiB, with a limit of two days
run() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"%s","user":"%s","account":"lab","host":"n1","start":%s,"wall_s":36000,"samples":3600,"status":"finished","code":0,"oom_kills":0,"cpu_s":%s,"cores_mean":%s,"cores_peak":2,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":8,"asked_memory_bytes":68719476736,"asked_memory_source":"scheduler","asked_time_s":172800,"vcpus":64,"machine_memory_bytes":274877906944%s}}\n' \
		"${1##*/}" "$2" "$3" "$4" "$5" "$(($5 / 36000))" "$6" "$6" "$7" >"$1"
}
mkdir runs mails
for i in 1 2 3 4 5 6 7 8 9; do
	run runs/train-$i.json train ann $((1795000000 + i * 40000)) 36000 "$((4 + i))00000000"
	run runs/prep-$i.json prep bob $((1794000000 + i * 40000)) 144000 50000000000
	run runs/good-$i.json good eve $((1794000000 + i * 40000)) 288000 60000000000
	run runs/gpu-$i.json gpu ann $((1795000000 + i * 40000)) 252000 60000000000 ',"asked_gpus":1,"gpus_mean":0,"gpus_peak":0'
done

# Its name, which has quotation marks in a command if there is a blank in it.
folder="s,\('\|&#39;\)$D\([^ ']*\)\1,FOLDER\2,g; s,$D,FOLDER,g"
fleet() {
	echo "$ rtrack-fleet $*"
	SOURCE_DATE_EPOCH=${now:-1795500000} "$F" "$@" --offline >out 2>&1
	echo "status $?" >>out
	sed "$folder" out
	rm out
}
# show FILE: without quoted-printable
show() {
	awk '{ if (sub(/=$/, "")) printf "%s", $0; else print }' "$1" | sed "s/=3D/=/g; s/=20\$/ /; s/=46/F/; s/=2E/./; $folder"
}
echo '--- one for each who has something to change'
fleet mail --mail-dir mails --rate-cpu 0.05 runs
ls mails
show mails/ann.eml
sed '/^Content-Type: text.html/,$d' mails/bob.eml | grep -c SBATCH
sed 's/"job":"[0-9a-f]*"/"job":"…"/g' mails/said.jsonl
echo '--- not again, but when something changed or a month is over'
rm mails/*.eml
fleet mail --mail-dir mails --rate-cpu 0.05 runs
now=1798091999 fleet mail --mail-dir mails --rate-cpu 0.05 runs
run runs/new.json train ann 1795600000 36000 60000000000
now=1795700000 fleet mail --mail-dir mails --rate-cpu 0.05 runs
ls mails
now=1798092000 fleet mail --mail-dir mails --rate-cpu 0.05 runs
ls mails
echo '--- accounts, an address, a file of its own, beside a page and from a catalog'
rm -r mails && mkdir mails
now=1795700000 fleet groups --mail-dir mails --owner account --mail-domain example.org --mail-state state --text - runs | head -n 4
ls mails state
grep -E '^(To|From|Subject)' mails/lab.eml
show mails/lab.eml | grep -m 3 'where'
fleet mail --catalog runs.db --add --mail-dir mails --where user=bob runs
show mails/bob.eml | grep -m 1 'where'
echo '--- a catalog is named only where everybody may read it'
chmod 755 . && chmod 644 runs.db
for mode in 644 640; do
	rm -r mails && mkdir mails && chmod $mode runs.db
	fleet mail --catalog runs.db --mail-dir mails --where user=bob
	show mails/bob.eml | sed '/^Content-Type: text.html/,$d' | sed -n '/To check/,$p'
	grep -c 'jobs.html' mails/bob.eml
done
echo '--- rules'
sed -n '/^```ini/,/^```$/p' "$docs/owners.md" | sed '/^```/d' >defaults
rm -r mails && mkdir mails a
"$F" mail --offline --now 1795500000 --mail-dir mails runs >/dev/null && "$F" mail --offline --now 1795500000 --mail-dir a --mail-rules defaults runs
diff mails a && echo the documented rules are the defaults
rm -r mails && mkdir mails
printf '%s\n' 'from = HPC <hpc@example.org>' 'cpu_used_below = 10%' 'gpu_used_below = 0%' 'time_used_below = 0%' \
	'memory_used_below = 0%' 'one_core_cpus = 0' 'node_cpus = 11' 'node_memory = 200GiB' 'note = Ask us about <it> & more.' >rules
fleet mail --mail-dir mails --mail-rules rules runs
grep -m 1 From mails/eve.eml
show mails/eve.eml | grep -E 'Nodes|Ask us'
echo '--- who runs this'
name=$(grep -m 1 -E "^[^:]*:[^:]*:$(id -u):" /etc/passwd | cut -d: -f1)
run runs/mine.json own "${name:-${LOGNAME:-$(id -u)}}" 1795000000 36000 1000000000
fleet groups --mine --csv - runs | cut -d, -f1-3
rm runs/mine.json
echo '--- names that cannot be written to'
rm -r mails && mkdir mails
for i in 1 2 3 4 5 6; do
	run runs/evil-$i.json 'fit\r\nBcc: x@example.org\r\n\r\n<b>' '../../etc/cron.d/x' $((1795000000 + i * 40000)) 36000 100000000
	run runs/evil2-$i.json 'fit\r\nBcc: x@example.org\r\n\r\n<b>' 'ann' $((1795000000 + i * 40000)) 36000 100000000
	run runs/evil3-$i.json fit 'x@example.org, y' $((1795000000 + i * 40000)) 36000 100000000
done
fleet mail --mail-dir mails runs
ls mails
sed '/^$/q' mails/ann.eml
grep -ciE '^bcc|^x@|<b>$' mails/ann.eml
rm runs/evil*
echo '--- links of others are replaced, not followed'
rm -r mails && mkdir mails
echo precious >precious
ln -s "$D/precious" mails/ann.eml
fleet mail --mail-dir mails runs
cat precious
ln -sf "$D/precious" mails/said.jsonl
fleet mail --mail-dir mails runs
cat precious
echo '--- mistakes'
rm -r mails && mkdir mails
echo '{"format":"rtrack-mail-said","version":1}' >mails/said.jsonl
echo 'garbage' >>mails/said.jsonl
fleet mail --mail-dir mails runs
ls mails
fleet mail --mail-dir none/mails runs
fleet mail --mail-dir none/ runs
ls none
rm -r none
fleet groups --mail-dir mails --json mails/said.jsonl runs
rm mails/said.jsonl
fleet mail --mail-dir mails --catalog ./mails/said.jsonl --add runs
fleet mail --mail-dir mails --mail-state runs.db runs
echo 'From: a friend' >mails/bob.eml
fleet mail --mail-dir mails runs
cat mails/bob.eml
rm mails/*
echo '{"format":"rtrack-mail-said","version":1}' >mails/said.jsonl
echo 'garbage' >>mails/said.jsonl
fleet mail --mail-dir - runs
fleet mail --mail-dir mails --mail-domain 'a b' runs
fleet mail --mail-dir mails --mail-rules none runs
echo 'cpu_used_belov = 10%' >rules
fleet mail --mail-dir mails --mail-rules rules runs
fleet mail --mail-dir mails
fleet mail --mail-dir mails -o page.html runs
fleet groups --mail-domain x runs
fleet groups --owner account runs
fleet mail --mail-dir mails --owner group runs
fleet add --mine runs
