# A network and a server that break: what can be repeated is, and nothing wrong is ever shown.
s3 make faults
"$make" --samples=40 150 few >>everything 2>&1
s3 fill faults few/ few
fleet few.json few
sed -i "s|$PWD/few/|s3://faults/few/|g" few.json
put a.json.gz s3://faults/a.json.gz
head -c 300000 /dev/urandom >random.bin && put random.bin s3://faults/random.bin

# -- a tenth of all requests fails, in one way: the page is that of the files --------------------------------------------------
for fault in '"status","status":500' '"status","status":503,"code":"SlowDown"' '"status","status":429' \
	'"status","status":503,"headers":{"retry-after":"1"}' '"cut-before"' '"drop"' '"cut"' '"longer"' '"shorter"' '"truncate"' '"slow","ms":300'; do
	rules "[{\"share\":0.1,\"fault\":$fault}]"
	rm -f s3.json
	check "a tenth of the requests: $fault" proxied fleet s3.json s3://faults/few/
	check "has the same numbers: $fault" same_models few.json s3.json
	check_that "faults were made: $fault" "$(seen faults) >= 3"
done

rules '[{"path":"/few/000/","kind":"range","fault":"truncate"}]'
check 'recordings that are cut on the way make no page of the rest in silence' fails proxied fleet s3.json s3://faults/few/
check_equal 'after four tries each' "$(seen faults)" 600
check 'it is reported' grep -q 'another part than was asked for' err

# -- one request fails, once ---------------------------------------------------------------------------------------------------
for fault in '"status","status":500' '"status","status":503,"code":"SlowDown"' '"cut-before"' '"cut-request"' '"drop"'; do
	rules "[{\"first\":1,\"fault\":$fault}]"
	check "put, then $fault" proxied put random.bin s3://faults/put.bin
	check_that "was sent again: $fault" "$(seen faults) == 1"
	s3 get faults put.bin >got
	check "whole: $fault" cmp got random.bin
	s3 delete faults put.bin
done
for fault in '"status","status":500' '"cut-before"' '"drop"' '"cut"' '"longer"' '"truncate"' '"no-etag"' '"whole"'; do
	rules "[{\"first\":1,\"fault\":$fault}]"
	rm -f back
	check "get, but for $fault" proxied get back s3://faults/random.bin
	check "whole: $fault" cmp back random.bin
	rules "[{\"first\":1,\"fault\":$fault}]"
	rm -f s3.csv
	check "a report, but for $fault" proxied page --csv s3.csv s3://faults/a.json.gz
	check "the same rows: $fault" cmp s3.csv file.csv
done

# -- a server that lies always: an error, or what is true, never a wrong number ------------------------------------------------------
for fault in '"status","status":500' '"cut"' '"cut-before"' '"drop"' '"longer"' '"shorter"' '"truncate"' '"garbage"' '"other-range"' '"whole"' \
	'"no-etag"' '"new-etag"' '"garbage","bytes":3000000' '"status","status":404,"code":"NoSuchKey"'; do
	rules "[{\"kind\":\"range|get\",\"fault\":$fault}]"
	rm -f s3.csv back
	if proxied report --time-limit 20 --offline --csv s3.csv s3://faults/a.json.gz; then
		check "always $fault: what is shown is true" cmp s3.csv file.csv
	else
		check "always $fault: told" grep -q s3://faults/a.json.gz err
		check_equal "always $fault: nothing is written" "$(ls s3.csv 2>/dev/null)" ''
	fi
	if proxied report --time-limit 20 --get back s3://faults/random.bin; then
		check "get, always $fault: what is there is true" cmp back random.bin
	else
		check_equal "get, always $fault: nothing half" "$(ls back back.* 2>/dev/null)" ''
	fi
done
for fault in '"status","status":500' '"garbage"' '"xml","text":"<ListBucketResult><Contents><Key>x</Key>"' \
	'"xml","text":"<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><ListBucketResult>&c;</ListBucketResult>"' \
	'"xml","text":"<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"' \
	'"xml","text":"<html>a login page</html>"' '"repeat"' '"error-200"'; do
	rules "[{\"kind\":\"list\",\"fault\":$fault}]"
	rm -f s3.json
	check "always a list like ${fault:0:40}: fails" fails proxied many groups --time-limit 20 --offline --json s3.json s3://faults/few/
	check "is reported: ${fault:0:40}" grep -q s3://faults/few/ err
	check_that "in few requests: ${fault:0:40}" "$(seen requests) <= 170"
done

# -- a server that does not answer: the time limit holds -----------------------------------------------------------------------------
for fault in '"hang"' '"drip","ms":1000'; do
	rules "[{\"fault\":$fault}]"
	began=$SECONDS
	check "$fault: fails" fails proxied report --time-limit 3 --offline --json x.json s3://faults/a.json.gz
	check_that "$fault: in time" "$SECONDS - $began <= 10"
	check "$fault: told" grep -qi 'time' err
done
