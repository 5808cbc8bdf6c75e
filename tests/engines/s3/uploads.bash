# Large files, in parts; uploads that are broken off; https:// as an output.
s3 make uploads
MiB=1048576
head -c $((64 * MiB)) /dev/urandom >single.bin
{ cat single.bin && head -c $((30 * MiB + 12345)) /dev/urandom; } >large.bin

seen requests >/dev/null
check '64 MiB in one piece' proxied put single.bin s3://uploads/single.bin
check_equal 'one PUT' "$(seen kinds.put) $(seen_again kinds.part)" '1 0'
check 'more in parts' proxied put large.bin s3://uploads/large.bin
check_equal 'of 8 MiB' "$(seen kinds.put) $(seen_again kinds.uploads) $(seen_again kinds.part) $(seen_again kinds.complete)" '0 1 12 1'
for file in single.bin large.bin; do
	s3 get uploads $file >got
	check "the same bytes: $file" cmp got $file
done
rm -f back
check 'get it again' get back s3://uploads/large.bin
check 'the same bytes again' cmp back large.bin
s3 delete uploads

# -- parts that fail ---------------------------------------------------------------------------------------------------------------
rules '[{"kind":"part","share":0.3,"fault":"status","status":503,"code":"SlowDown"},{"kind":"part","share":0.1,"fault":"drop"},
	{"kind":"complete","first":1,"fault":"error-200"}]'
check 'parts that fail are sent again' proxied put large.bin s3://uploads/again.bin
check_that 'some did' "$(seen faults) >= 2"
s3 get uploads again.bin >got
check 'the same bytes' cmp got large.bin
s3 delete uploads
rules '[{"kind":"part","after":3,"fault":"status","status":403,"code":"AccessDenied"}]'
check 'a part that is refused' fails proxied put large.bin s3://uploads/refused.bin
check_equal 'leaves no object and no parts' "$(s3 list uploads)$(s3 uploads uploads)" ''
rules '[{"kind":"complete","fault":"error-200"}]'
check 'an end that fails' fails proxied put large.bin s3://uploads/refused.bin
check_equal 'leaves nothing either' "$(s3 list uploads)$(s3 uploads uploads)" ''

# -- Ctrl-C, and a kill, in the middle -----------------------------------------------------------------------------------------------
in_flight() { [ "$(curl -s "http://127.0.0.1:$proxy_port/-/seen" | grep -c "\"$1\"")" = 1 ]; }
rules '[{"kind":"part","after":2,"fault":"slow","ms":60000}]'
nothing_begun() { [ -z "$(s3 uploads uploads)" ]; }
for signal in INT TERM KILL; do
	proxied begin broken.out env --default-signal=INT "$P" --put large.bin s3://uploads/broken.bin
	wait_until in_flight part
	kill -$signal "$(process_of "$session" --put)"
	wait "$session"
	status=$?
	cat broken.out >>everything
	[ $signal = KILL ] || check_that "SIG$signal ends it" "$status != 0"
	check "nothing is left of it: SIG$signal" wait_until nothing_begun
	check_equal "nor an object: SIG$signal" "$(s3 list uploads)" ''
done
rules
proxied put large.bin s3://uploads/large.bin
rules '[{"kind":"range|get","after":2,"fault":"slow","ms":60000},{"kind":"range|get","first":1,"fault":"slow","ms":10}]'
mkdir -p fetched
proxied begin broken.out env --default-signal=INT "$P" --get fetched/large.bin s3://uploads/large.bin
wait_until in_flight '\(range\|get\)'
sleep 0.2
kill -INT "$(process_of "$session" --get)" 2>/dev/null
wait "$session"
left=$(ls -A fetched)
[ -z "$left" ] || cmp -s fetched/large.bin large.bin && left=
check_equal 'Ctrl-C in a download leaves nothing half' "$left" ''
rules
s3 delete uploads

# -- https:// with a signature -------------------------------------------------------------------------------------------------------
# The certificate is trusted in a mount namespace of its own.
trusting() { unshare -m sh -c 'mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"' "$S/cert.pem" "$@"; }
if [ -s "$S/cert.pem" ] && trusting true 2>>everything; then
	url=$(AWS_ENDPOINT_URL=https://localhost:$((proxy_port + 1)) s3 presign PUT uploads 'by url.html')
	trusting timeout 60 "$P" --offline -o "$url" a.json.gz >out 2>err
	check_equal 'a page by https:// with a signature' "$? $(cat err)" '0 '
	cat out err >>everything
	page -o local.html a.json.gz
	s3 get uploads 'by url.html' >got
	# The last line has when it was written.
	check 'as on disk' cmp <(grep -v 'Written by rtrack-report' got) <(grep -v 'Written by rtrack-report' local.html)
	url=$(AWS_ENDPOINT_URL=https://localhost:$((proxy_port + 1)) s3 presign PUT uploads by-url.json.gz)
	trusting timeout 60 "$P" --put a.json.gz "$url" >out 2>err
	check_equal 'and a file' "$? $(cat err)" '0 '
	cat out err >>everything
	s3 get uploads by-url.json.gz >got
	check 'with the same bytes' cmp got a.json.gz
	trusting timeout 60 "$P" --offline -o "${url%??????}ffffff" a.json.gz >out 2>err
	check_that 'a wrong signature fails' "$? != 0"
	cat out err >>everything
	check 'with the code' has err 'SignatureDoesNotMatch\|403'
	check_equal 'without the query' "$(grep -c 'X-Amz-Sig\|X-Amz-Cred' err)" 0
	url=$(AWS_ENDPOINT_URL=https://localhost:$((proxy_port + 1)) s3 presign PUT uploads recorded.json.gz)
	trusting timeout 60 "$R" -q -i 0.1 -o "$url" -- sleep 0.3 >out 2>err
	check_equal 'a recording by https://' "$? $(cat err)" '0 '
	cat out err >>everything
	s3 get uploads recorded.json.gz >got
	check 'is one' page --json x.json got
else
	skip 'https:// outputs' 'no mount namespace or no openssl here'
fi
url=$(s3 presign PUT uploads untrusted)
check 'a certificate that nobody signed is refused' fails report --time-limit 10 --put a.json.gz "https://localhost:$((proxy_port + 1))/uploads/u?${url#*\?}"
check_equal 'without the query in the sentence' "$(grep -c X-Amz-Sig err)" 0
s3 delete uploads
rm -f single.bin large.bin got back
