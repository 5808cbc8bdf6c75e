# --watch of recordings that are uploaded while they run: on a terminal, as a page, and the end.
s3 make watched
mkdir watched && cd watched || exit 1
export TERM=xterm LC_ALL=C.UTF-8
rm -f go
begin job.out "$R" -i 0.1 --no-discover-cloud --upload-every 1 --name train -o s3://watched/runs/a.json.gz -- \
	sh -c 'until [ -e go ]; do sleep 0.1; done'
job_id=$session
uploaded() { [ "$(s3 list watched runs/a.json.gz.partial/ | wc -l)" -ge 1 ]; }
check 'pieces are there' wait_until uploaded
dialogue 'a job below a prefix' 0 "$P" --watch s3://watched/runs/ <<'S'
expect running: train
expect CPU
send q
S
dialogue 'by its name' 0 "$P" --watch s3://watched/runs/a.json.gz <<'S'
expect running: train
send q
S
begin page.out "$P" --offline --watch -o page.html s3://watched/runs/
page_id=$session
check 'a page' wait_until has page.html '<title>train: running'
check 'reloads itself' has page.html 'http-equiv="refresh"'
check 'a bare report says that it runs' page --text text s3://watched/runs/
check 'as well' has text 'still running'
touch go
wait "$job_id"
wait "$page_id"
check_equal 'the page ends with the job' $? 0
check 'and says how' has page.html '<title>train: finished'
check_equal 'it reloads no more' "$(grep -c 'http-equiv="refresh"' page.html)" 0
cat job.out page.out text err screen >>../everything
cd ..
