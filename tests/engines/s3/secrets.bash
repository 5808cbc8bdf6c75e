# Secrets are in nothing that was written, and in no process that reads recordings.
secrets=(secret-of-owner wrong-secret-of-mine secret-of-recorder secret-of-reader)
[ ! -s "$S/secrets" ] || mapfile -t -O ${#secrets[@]} secrets <"$S/secrets"
for i in "${!secrets[@]}"; do
	check_equal "secret $i is in nothing that was written" "$(grep -rlF -e "${secrets[i]}" . 2>/dev/null | head -3)" ''
done
check_that 'much was written' "$(stat -c %s everything) > 100"

# The main process is looked into while the worker waits for the store.
s3 make secrets
put a.json.gz s3://secrets/a.json.gz
rules '[{"kind":"range|get|head|list","fault":"slow","ms":8000}]'
proxied begin slow.out "$P" --offline -o slow.html s3://secrets/a.json.gz
waits() { [ "$(curl -s "http://127.0.0.1:$proxy_port/-/seen" | grep -c '"range"\|"get"\|"head"\|"list"')" = 1 ]; }
wait_until waits
main=$(process_of "$session" --offline)
holds=$(node "$parts/holds.mjs" secret-of-owner "$main" 2>&1)
check_equal 'the process that reads recordings does not have the key in its memory' "$holds" "$main no"
others=$(node "$parts/holds.mjs" secret-of-owner $(tree "$session" | grep -vw "$main") 2>&1)
check_equal 'one worker has it' "$(grep -c yes <<<"$others")" 1
check_equal 'the environment of the process is without it' "$(tr '\0' '\n' <"/proc/$main/environ" | grep -c secret-of)" 0
check_equal 'no command line has it' "$(for pid in $(tree "$session"); do tr '\0' ' ' <"/proc/$pid/cmdline"; done | grep -c secret-of)" 0
check_equal 'the main process has no socket of the network' \
	"$(for fd in /proc/"$main"/fd/*; do readlink "$fd"; done | sed -n 's/^socket:\[\(.*\)\]$/\1/p' | grep -cxFf - <(awk '{ print $10 }' /proc/net/tcp))" 0
end_tree "$session"
