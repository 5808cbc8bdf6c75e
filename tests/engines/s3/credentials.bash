# Where keys come from; a session's token; keys that expire.
s3 make keys
endpoint=$AWS_ENDPOINT_URL
check 'keys of the environment' put a.json.gz s3://keys/environment

# With STS, radosgw calls a wrong signature AccessDenied.
s3_down && s3_up --rgw-s3-auth-use-sts=true
eval "export $(s3 session owner 900)"
check 'a session of STS' put a.json.gz s3://keys/session
check_equal 'its object is there' "$(s3_as owner && s3 list keys session)" '"session"'
token=$AWS_SESSION_TOKEN session_access=$AWS_ACCESS_KEY_ID session_secret=$AWS_SECRET_ACCESS_KEY
AWS_SESSION_TOKEN=${token%??????????}AAAAAAAAAA check 'a wrong token' fails put a.json.gz s3://keys/wrong
printf '%s\n' "$token" "$session_secret" >"$S/secrets"

from_file() { # a profile in a file, which has the keys alone
	unset "${!AWS_@}"
	export AWS_SHARED_CREDENTIALS_FILE=$S/credentials AWS_CONFIG_FILE=$S/config AWS_PROFILE=lab AWS_EC2_METADATA_DISABLED=true
}
from_file
printf '[default]\naws_access_key_id = AKIANOBODY\naws_secret_access_key = nothing\n[lab]\naws_access_key_id=%s\naws_secret_access_key=%s\n' \
	AKIAOWNER secret-of-owner >"$S/credentials"
printf '[profile lab]\nregion = eu-central-1\nendpoint_url = http://127.0.0.1:%s\n' "$proxy_port" >"$S/config"
seen requests >/dev/null
check 'a profile in files' put a.json.gz s3://keys/profile
check_that 'signed for its region, sent to its endpoint' "$(seen 'regions.eu-central-1') >= 1 && $(seen_again regions.us-east-1) == 0"
AWS_PROFILE=nobody check 'a profile that is not there' fails put a.json.gz s3://keys/x
check 'is named' has err nobody

# A container's agent: keys that expire soon are taken again before they do.
container() { # SECONDS that its keys are valid
	unset "${!AWS_@}"
	export AWS_REGION=us-east-1 AWS_ENDPOINT_URL=$endpoint AWS_CONTAINER_AUTHORIZATION_TOKEN=ticket \
		AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1:$proxy_port/-/credentials
	printf '{"AccessKeyId":"%s","SecretAccessKey":"%s","Token":"%s","Expiration":"%s"}' "$session_access" "$session_secret" "$token" \
		"NOW+$1" | curl -s "http://127.0.0.1:$proxy_port/-/credentials" --data-binary @- >"$S/seen"
}
container 600
check 'keys of a container' put a.json.gz s3://keys/container
check_equal 'are taken once' "$(seen keys)" 1
put a.json.gz s3://keys/container
container 3
begin recorder.out "$R" -q -i 0.1 --upload-every 1 -o s3://keys/expiring.json.gz -- sleep 6
wait "$session"
cat recorder.out >>everything
check_that 'keys that expire are taken again' "$(seen keys) > 1"
check_equal 'and the recording is there' "$(s3_as owner && s3 list keys expiring)" '"expiring.json.gz"'
container 600
export AWS_ENDPOINT_URL=http://127.0.0.1:$proxy_port
rules '[{"kind":"put","first":1,"fault":"status","status":400,"code":"ExpiredToken"}]'
check 'keys that the server calls expired are taken again' put a.json.gz s3://keys/refreshed
check_equal 'once more' "$(seen keys) $(seen_again faults)" '2 1'
rules
export AWS_CONTAINER_AUTHORIZATION_TOKEN=wrong
check 'the agent refuses' fails put a.json.gz s3://keys/x
check 'which is reported' has err "container's credentials.*403"

unset "${!AWS_@}"
export AWS_ENDPOINT_URL=$endpoint AWS_EC2_METADATA_DISABLED=true
check 'no keys at all' fails put a.json.gz s3://keys/x
check 'is reported' has err 'no credentials'
check_equal 'in one sentence' "$(wc -l <err)" 1
s3_down && s3_up
