# No secret of the job, of its children, or of the user's own labels is in the recording.
. tests/check.sh
mkdir -p "$D/token=hunter2cwd"
cd "$D/token=hunter2cwd" || exit 1

# Every marker begins so.
clean() { ! grep -aoE '.{0,60}hunter2[a-z]*' "$1"; }

cat >job.sh <<'END'
cp a.gz.partial begin.partial
# A child's command line is read when a second reading sees it.
sh -c 'exec 3<>"$1"; read -r _ <&3; : mysql -uroot -phunter2child' sh fifo --api-key=hunter2option &
env STRIPE_KEY=hunter2env sh -c 'read -r _ <"$1"; :' 'Authorization:Bearer hunter2header' fifo2 &
printf 'load with --password hunter2fifo\n' >"$RTRACK_MARK"
"$R" --mark 'connect postgres://me:hunter2mark@db/x'
printf 'connect postgres://me:hunter2mark@db/x end\n' >"$RTRACK_MARK"
until [ "$(wc -l <rows.csv)" -gt 8 ]; do sleep 0.02; done
cp a.gz.partial end.partial
echo >fifo
echo >fifo2
wait
END
mkfifo fifo fifo2
export R
GITHUB_ACTIONS=true GITHUB_WORKFLOW='deploy TOKEN=hunter2label' \
	"$R" -i 0.05 --no-discover-cloud -o a.gz --csv process --csv-file rows.csv \
	--name 'nightly --token hunter2name' --tag password=hunter2tag --tag 'note=curl -uuser:hunter2note h' \
	-- sh job.sh -H Cookie:a=hunter2cookie --pw hunter2word 'sshpass -p hunter2script ssh h' \
	>out 2>err
check 'the job ran' test $? = 0
zcat a.gz >snapshot
check 'nothing secret is in the snapshot' clean snapshot
check 'nor in the journal at its beginning' clean begin.partial
check 'nor in the journal at its end' clean end.partial
"$R" -q --recover end.partial -o recovered.gz && zcat recovered.gz >recovered
check 'nor in what is recovered from it' clean recovered
check 'nor in the CSV' clean rows.csv
check 'nor in what it says' clean err
"$P" --offline -o a.html --text a.txt --json a.json a.gz end.partial 2>report.err
check 'nor on the page' clean a.html
# What is packed in it, the script left out, which is the same in all pages.
packed() {
	sed -nE 's/.*<script type="application\/gzip" id="'"$1"'"[^>]*>([^<]+)<.*/\1/p' a.html | base64 -d | gzip -dc
}
packed rtrack-recording >carried
check 'nor in the recording that it carries, of a journal' clean carried
"$P" --offline -o a.html a.gz
packed rtrack-recording >carried
check 'nor in the recording that the page carries' clean carried
check 'which is there' grep -qF 'nightly --token ***' carried
check 'nor in its row' sh -c '! sed -n "/rtrack-row/p" a.html | grep hunter2 && grep -q "id=\"rtrack-row\">{\"id\"" a.html'
check 'nor in the text' clean a.txt
check 'nor in the model' clean a.json

# What is not secret is there: else the above would say nothing.
has() { grep -qF "$1" snapshot; }
check 'the command line is there' has '"sh","job.sh","-H","Cookie:***","--pw","***","sshpass -p *** ssh h"]'
check 'and the children' has 'mysql -uroot -p*** sh fifo --api-key=***'
check 'and the name' has '"name":"nightly --token ***"'
check 'and the tags' has '"tags":{"password":"***","note":"curl -uuser:*** h"}'
check 'and the label' has '"ci.workflow":"deploy TOKEN=***"'
check 'and the phases' sh -c 'grep -qF "load with --password ***" snapshot && grep -qF "connect postgres://me:***@db/x" snapshot'
check 'a phase ends by its redacted name' sh -c '! grep -q "changed nothing" snapshot'
check 'and the place' has '/token=***"'
echo "1..$n"
