# Messages to owners: Python's email package reads them, whatever the names are; a process that is killed loses nothing and
# doubles at most the message that it was writing.
. tests/check.sh
cd "$D" || exit
# jobs FOLDER OWNERS NAME: of each owner eight runs of a job that wastes memory
jobs() {
	node -e '
		const fs = require("fs"), [folder, owners, name] = process.argv.slice(1);
		for (let o = 0; o < +owners; o++)
			for (let i = 0; i < 8; i++) {
				const id = `o${o}-${i}`;
				fs.writeFileSync(`${folder}/${id}.json`, JSON.stringify({rtrack_row: {id: folder + id, scope: "job", name,
					user: `owner${o}`, host: "n1", start: 1795000000 + i * 40000, wall_s: 36000, samples: 3600, status: "finished",
					code: 0, oom_kills: 0, cpu_s: 36000, cores_mean: 1, cores_peak: 1, memory_mean_bytes: 1e9, memory_peak_bytes: 1e9,
					asked_cpus: 8, asked_memory_bytes: 68719476736, asked_time_s: 172800, vcpus: 64,
					machine_memory_bytes: 274877906944}}));
			}' "$@"
}
mail() { "$F" mail --offline --now "${now:-1795500000}" "$@" 2>err; }

if command -v python3 >/dev/null; then
	cat >read.py <<'END'
import email, email.policy, sys
for path in sys.argv[1:]:
	raw = open(path, 'rb').read()
	m = email.message_from_bytes(raw, policy=email.policy.default)
	text, html = m.get_body(('plain',)), m.get_body(('html',))
	print(len(m.keys()), m['to'], len(m['to'].addresses), sorted(set(m.keys())) == sorted(m.keys()), m.defects + text.defects + html.defects,
		[p.get_content_type() for p in m.iter_parts()], max(map(len, raw.split(b'\n'))) <= 76, raw.isascii())
	print(ascii(m['subject']))
	print('#SBATCH --mem=' in text.get_content(), '#SBATCH --mem=' in html.get_content(), '<script' in html.get_content())
END
	i=0
	while read -r name; do
		mkdir "names$((i += 1))" "mails$i"
		jobs "names$i" 1 "$(printf '%b' "$name")"
		mail --mail-dir "mails$i" --mail-domain example.org "names$i" >out
		check_equal "a job named ${name:0:40}" "$(python3 read.py "mails$i"/owner0.eml 2>&1 | sed -n '1p;3p')" \
			"6 owner0@example.org 1 True [] ['text/plain', 'text/html'] True True
True True False"
	done <<'END'
fit
fit\r\nBcc: victim@example.org\r\n\r\nHello
größere-läufe 日本語のジョブ名がここにあります、とても長い名前です
=?utf-8?B?QQ==?=
--=_rtrack_alternative--
\0377\0376 bytes
<script>alert(1)</script>&<b>"'`
a    b\tc\033[31m
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
.
END
	check_equal 'a name that is not ASCII arrives' "$(python3 read.py mails3/owner0.eml | sed -n 2p)" \
		"$(python3 -c 'print(ascii("größere-läufe 日本語のジョブ名がここにあります、とても長い名前です could ask for less"))')"
	check_equal 'as does one that looks encoded' "$(python3 read.py mails4/owner0.eml | sed -n 2p)" "'=?utf-8?B?QQ==?= could ask for less'"
else
	skip 'messages as Python reads them' 'no python3 here'
fi

# Killed at any moment: what is there then is sent, and removed.
mkdir many mails sent
jobs many 300 fit
kills=0
while [ $kills -lt 12 ]; do
	"$F" mail --offline --now 1795500000 --mail-dir mails many >out 2>err &
	# From before the first message to after the last one.
	sleep "0.$(printf %02d $((kills * 3)))"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	kills=$((kills + 1))
	for m in mails/*.eml; do [ -e "$m" ] && mv "$m" "sent/${m##*/}.$kills"; done
done
check 'after them it goes on' mail --mail-dir mails many
for m in mails/*.eml; do [ -e "$m" ] && mv "$m" "sent/${m##*/}.last"; done
check_equal 'nothing is lost' "$(ls sent | sed 's/\.eml.*//' | sort -u | wc -l)" 300
check_that 'and of each that was killed, at most one is doubled' "$(ls sent | wc -l) <= 300 + $kills"
check_equal 'afterwards nothing is new' "$(mail --mail-dir mails many)" 'wrote 0 messages into mails; nothing new for 300 more'
check_equal 'but after 31 days all is' "$(now=$((1795500000 + 31 * 86400)) mail --mail-dir mails many)" 'wrote 300 messages into mails'

# Two at once: one of them does it.
mkdir both
for i in 1 2 3 4; do
	"$F" mail --offline --now 1795500000 --mail-dir both many >out.$i 2>err.$i &
done
wait
check_equal 'of several at once, each message is remembered once' "$(grep -c owner both/said.jsonl)" 300
check_equal 'and is there' "$(ls both/*.eml | wc -l)" 300
echo "1..$n"
