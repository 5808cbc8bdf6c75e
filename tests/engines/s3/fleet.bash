# A fleet in a store: as from files; counted requests; a catalog that reads only what is new.
s3 make fleet
"$make" --samples=40 2000 runs2k >>everything 2>&1
s3 fill fleet runs/ runs2k
fleet files.json runs2k
sed -i "s|$PWD/runs2k/|s3://fleet/runs/|g" files.json
seen requests >/dev/null
check 'a page of 2,000 objects' proxied fleet s3.json s3://fleet/runs/
check_that 'at most 2,010 requests' "$(seen requests) <= 2010"
check_that 'over few connections' "$(seen_again connections) <= 40"
# The proxy has not ended an answer yet when the client, which has all of it, asks for the next.
check_that "at most 32 at once" "$(seen_again most) <= 48"
check_that 'at least 8 at once' "$(seen_again most) >= 8"
check 'the numbers of the files' same_models files.json s3.json
check 'into a catalog' proxied many add --catalog s3.db s3://fleet/runs/
check 'added all' grep -q 'added 2,000 of 2,000' err out
check_that 'at most 2,010 requests' "$(seen requests) <= 2010"
check 'a second time' proxied many add --catalog s3.db s3://fleet/runs/
check 'added none' grep -q 'added 0 of 2,000' err out
check_that 'at most 20 requests' "$(seen requests) <= 20"
check 'a page of the catalog' proxied fleet catalog.json --catalog s3.db
check_equal 'without a request' "$(seen requests)" 0
check 'has the same numbers' same_models files.json catalog.json
one=$(s3 list fleet runs/ | head -1 | tr -d '"')
put a.json.gz s3://fleet/runs/new.json.gz
put a.json.gz "s3://fleet/$one"
seen requests >/dev/null
check 'one new, one changed' proxied many add --catalog s3.db s3://fleet/runs/
check 'both are added' grep -q 'added 2 of 2,001' err out
check_that 'in few requests' "$(seen requests) <= 20"
check 'a glob' fleet glob.json 's3://fleet/runs/new*.json.gz'
check 'a page with a link and into the store' many groups --offline -o s3://fleet/fleet.html --catalog s3.db
check 'is there' has_object fleet fleet.html
check 'below a prefix is forgotten' many forget --catalog s3.db s3://fleet/runs/
check 'all' grep -q 'removed 2,001' err out
check 'an empty prefix' fails fleet x.json s3://fleet/nothing/
check 'is reported' grep -q s3://fleet/nothing/ err
s3 delete fleet
