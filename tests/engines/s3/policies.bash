# The policies of the documents, word for word: they are enough, and they are no more than that.
s3 make my-bucket
s3_user recorder && s3_user reader
# The number-th JSON block of a document.
policy_of() { awk -v number="$2" '/^```/ { inside = 0 } inside && block == number; /^```json/ { inside = 1; block++ }' "$docs/$1"; }

may_record() { # NAME: as the user recorder
	s3_as recorder
	"$R" -q -i 0.1 --no-discover-cloud --upload-every 1 -o s3://my-bucket/runs/mine.json.gz -- sleep 2.5 >out 2>err
	check_equal "$1: a recording goes up" "$? $(cat err)" '0 '
	cat err >>everything
	s3_as owner
	check_equal "$1: without its pieces" "$(s3 list my-bucket runs/mine)" '"runs/mine.json.gz"'
	s3_as recorder
	head -c 70000000 /dev/zero >zeros
	check "$1: one in parts" put zeros s3://my-bucket/runs/zeros.bin
	check "$1: a second recorder with the same key" sh -c "'$R' -q -i 0.1 --no-discover-cloud --upload-every 1 \
		-o s3://my-bucket/runs/twice.json.gz -- sleep 2 & '$R' -q -i 0.1 --no-discover-cloud --upload-every 1 \
		-o s3://my-bucket/runs/twice.json.gz -- sleep 2.2 && wait \$!"
	check "$1: not elsewhere" fails put a.json.gz s3://my-bucket/other/a.json.gz
	check "$1: is reported" has err AccessDenied
	check "$1: not the recordings of others" fails get got s3://my-bucket/runs/others.json.gz
	check "$1: nor any list of another folder" fails fleet x.json s3://my-bucket/other/
	rm -f zeros got
	s3_as owner
	check_equal "$1: nothing is left" "$(s3 list my-bucket runs/mine.json.gz.partial)$(s3 list my-bucket runs/twice.json.gz.partial)$(s3 uploads my-bucket)" ''
}
may_read() { # NAME
	s3_as reader
	check "$1: a report" page --json x.json s3://my-bucket/runs/others.json.gz
	check "$1: a report of pieces" page --json x.json s3://my-bucket/runs/dead.json.gz
	check "$1: a fleet" fleet x.json s3://my-bucket/runs/
	check "$1: not elsewhere" fails page --json x.json s3://my-bucket/other/secret.json.gz
	check "$1: writes nothing" fails put a.json.gz s3://my-bucket/runs/x.json.gz
	check "$1: deletes nothing" fails s3 delete my-bucket runs/others.json.gz
	s3_as owner
}
put a.json.gz s3://my-bucket/other/secret.json.gz
begin dead.out "$R" -q -i 0.1 --upload-every 1 -o s3://my-bucket/dead.json.gz -- sleep 600
two_pieces() { [ "$(s3 list my-bucket dead.json.gz.partial/ | wc -l)" -ge 2 ]; }
wait_until two_pieces
end_tree "$session"
get dead.bin s3://my-bucket/dead.json.gz
s3 delete my-bucket dead

# As the page has it for Ceph: a policy of the bucket. In Ceph, who puts an object owns it, and may read it.
prepare() {
	s3 delete my-bucket runs/
	s3 put my-bucket runs/others.json.gz a.json.gz
	s3 put my-bucket runs/dead.json.gz.partial/0000000000000000 dead.bin
}
prepare
s3 delete my-bucket runs/dead
policy_of store-setup.md 3 >policy.json
check 'Ceph: the policy is taken' s3 policy my-bucket policy.json
may_record Ceph
prepare
may_read Ceph
s3_as recorder
check_equal 'Ceph: to recover needs both' "$("$R" --recover s3://my-bucket/runs/dead.json.gz 2>&1 | tee -a everything | wc -l)" 1
s3_as owner
s3 policy my-bucket -

# As the page has it for AWS: policies of the two users.
s3 delete my-bucket runs/
s3 put my-bucket runs/others.json.gz a.json.gz
# radosgw 16.2 does not find a.json.gz.partial/ with this pattern, which S3 does.
policy_of store-setup.md 1 | sed 's|\*\.partial\*/\*|*/*|' >recorder.json
policy_of store-setup.md 2 >reader.json
(s3_as recorder && s3 own-policy recorder recorder.json)
(s3_as reader && s3 own-policy reader reader.json)
# There, objects belong to the bucket's owner: who puts one may not read it for that.
cat >deny.json <<'P'
{"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Principal": {"AWS": ["arn:aws:iam:::user/recorder"]},
	"Action": "s3:GetObject", "NotResource": "arn:aws:s3:::my-bucket/runs/*/*"}]}
P
check 'AWS: as there, nobody owns what they put' s3 policy my-bucket deny.json
may_record AWS
s3 policy my-bucket -
prepare
may_read AWS
s3 delete my-bucket
