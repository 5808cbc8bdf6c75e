# What a store refuses is reported: the code, the request's number, the address; never a secret.
s3 make errors
put a.json.gz s3://errors/a.json.gz

told() { # NAME CODE ADDRESS COMMAND…
	local name=$1 code=$2 address=$3
	shift 3
	check "$name: fails" fails "$@"
	check "$name: the code" grep -q "$code" err
	check "$name: the address" grep -qF "$address" err
	check_equal "$name: one line" "$(wc -l <err)" 1
}
object=s3://errors/a.json.gz
AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine told 'wrong secret, put' SignatureDoesNotMatch s3://errors/b.json.gz put a.json.gz s3://errors/b.json.gz
check "with the request's number" grep -qE 'tx[0-9a-f]+-[0-9a-f]+-' err
check 'and 403' grep -q 403 err
AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine told 'wrong secret, report' SignatureDoesNotMatch $object page -o x.html $object
AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine told 'wrong secret, list' SignatureDoesNotMatch s3://errors/ fleet x.json s3://errors/
AWS_SECRET_ACCESS_KEY=wrong-secret-of-mine told 'wrong secret, get' SignatureDoesNotMatch $object get x $object
AWS_ACCESS_KEY_ID=AKIANOBODY told 'no such key' InvalidAccessKeyId s3://errors/b put a.json.gz s3://errors/b
told 'no such bucket, put' NoSuchBucket s3://nosuchbucket/b put a.json.gz s3://nosuchbucket/b
told 'no such bucket, report' NoSuchBucket s3://nosuchbucket/b page -o x.html s3://nosuchbucket/b
told 'no such bucket, list' NoSuchBucket s3://nosuchbucket/ page -o x.html s3://nosuchbucket/
check_equal 'no file is left' "$(ls x x.html x.json 2>/dev/null)" ''

# The time of day off by an hour, in rtrack-report alone.
preload clock
[ -n "$asan" ] || for hour in 3600 -3600; do
	export LD_PRELOAD=$so CLOCK=set:0:$hour CLOCK_OF=rtrack-report
	told "clock off by $hour s" RequestTimeTooSkewed s3://errors/b put a.json.gz s3://errors/b
	check 'with what to do' grep -qi clock err
	unset LD_PRELOAD CLOCK CLOCK_OF
done

# A wrong region: the server names the right one, and the request is sent again for that.
rules '[{"first":1,"fault":"status","status":400,"code":"AuthorizationHeaderMalformed","headers":{"x-amz-bucket-region":"eu-central-1"}}]'
check 'the server says the region' proxied put a.json.gz s3://errors/region
check_that 'it is used' "$(seen regions.us-east-1) == 1 && $(seen_again regions.eu-central-1) >= 1"
rules '[{"fault":"status","status":400,"code":"AuthorizationHeaderMalformed","headers":{"x-amz-bucket-region":"eu-central-1"}}]'
proxied told 'and refused again' AuthorizationHeaderMalformed s3://errors/region put a.json.gz s3://errors/region
check_that 'not for ever' "$(seen requests) <= 8"
rules '[{"fault":"status","status":403,"code":"AccessDenied","message":"<b>\u001b[31m & more"}]'
proxied told 'denied' AccessDenied s3://errors/c put a.json.gz s3://errors/c
check_equal 'without control characters' "$(grep -c $'\e' err)" 0
rules '[{"fault":"status","status":307,"code":"TemporaryRedirect","headers":{"location":"http://example.com/"}}]'
proxied told 'a redirect is not followed' TemporaryRedirect s3://errors/c put a.json.gz s3://errors/c
rules
AWS_ENDPOINT_URL=http://127.0.0.1:1 check 'no server' fails report --time-limit 20 --put a.json.gz s3://errors/c
check 'is reported' grep -q '127.0.0.1:1' err
AWS_ENDPOINT_URL=http://me:geheim@127.0.0.1:$s3_port report --put a.json.gz s3://errors/c
check_equal 'a password in the endpoint is not shown' "$(grep -c geheim err)" 0
for bad in ftp://x 'http://' nonsense; do AWS_ENDPOINT_URL=$bad check "endpoint $bad" fails put a.json.gz s3://errors/c; done
for bad in s3:// s3://A/b s3://ab/c 's3://a b/c' s3:///c 's3://-ab/c'; do check "address $bad" fails put a.json.gz "$bad"; done
