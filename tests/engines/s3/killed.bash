# SIGKILL at random moments: of the collector, of the uploader, of everything. What is in the store is a beginning of the journal
# on disk, and lacks at most what came since the last piece.
s3 make killed
mkdir kill && cd kill || exit 1
record=("$R" -q -i 0.05 --no-discover-cloud --upload-every 1)
last_time() { tail -n 1 "$1" | cut -d, -f1; }
uploaders_gone() { [ -z "$(process_of "$1" --put)" ]; }

kill_round() { # ROUND WHAT
	local dir=$1 what=$2 key=$1/run.json.gz
	mkdir "$dir" && cd "$dir" || exit 1
	begin out "${record[@]}" -o "s3://killed/$key" -- sleep 600
	of_round[$dir]=$session
	cd ..
}
kill_now() { # ROUND WHAT
	local id=${of_round[$1]}
	case $2 in
	collector) kill -KILL "$(process_of "$id" 'rtrack-collect -q')" ;;
	# shellcheck disable=SC2046
	tree) kill -KILL $(tree "$id") ;;
	uploader)
		# shellcheck disable=SC2046
		kill -KILL $(processes_of "$id" --put)
		;;
	worker) kill -KILL "$(processes_of "$id" --put | tail -n 1)" ;;
	esac
}

declare -A of_round=()
rounds=${RTRACK_ROUNDS:-24}
[ "$rounds" -le 60 ] || rounds=60
whats=(collector tree uploader worker)
short=0 wrong='' late='' most=0 unread='' unrecovered='' left='' unsent=''
for ((from = 0; from < rounds; from += 12)); do
	for ((i = from; i < from + 12 && i < rounds; i++)); do kill_round $i; done
	for ((i = from; i < from + 12 && i < rounds; i++)); do wait_until has_object killed "$i/run.json.gz.partial/"; done
	for ((i = from; i < from + 12 && i < rounds; i++)); do
		sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
		kill_now $i "${whats[i % 4]}"
	done
	for ((i = from; i < from + 12 && i < rounds; i++)); do
		what=${whats[i % 4]} address=s3://killed/$i/run.json.gz
		case $what in
		collector)
			# The uploader sends the rest.
			wait_until uploaders_gone "${of_round[$i]}" || left+=" $i"
			get $i/joined $address || unread+=" $i"
			cmp $i/joined $i/run.json.gz.partial >>../everything || late+=" $i"
			;;
		tree)
			get $i/joined $address || unread+=" $i"
			cmp -n "$(stat -c %s $i/joined)" $i/joined $i/run.json.gz.partial >>../everything 2>&1 || wrong+=" $i"
			page --csv $i/s3.csv $address || unread+=" $i"
			page --csv $i/disk.csv $i/run.json.gz.partial
			cmp -n "$(stat -c %s $i/s3.csv)" $i/s3.csv $i/disk.csv >>../everything 2>&1 || wrong+=" $i"
			lost=$(awk -v a="$(last_time $i/s3.csv)" -v b="$(last_time $i/disk.csv)" 'BEGIN { printf "%.2f", b - a }')
			most=$(awk -v a="$lost" -v b="$most" 'BEGIN { print (a > b) ? a : b }')
			"$R" --recover $address >>../everything 2>&1 || unrecovered+=" $i"
			page --csv $i/recovered.csv $address
			same_samples $i/recovered.csv $i/s3.csv >>../everything 2>&1 || unrecovered+=" $i"
			[ "$(s3 list killed "$i/")" = "\"$i/run.json.gz\"" ] || left+=" $i"
			;;
		uploader | worker)
			# The recorder goes on, and says at its end how to send the recording, or sent it by another uploader.
			kill -TERM "$(process_of "${of_round[$i]}" 'rtrack-collect -q')"
			wait "${of_round[$i]}"
			command=$(grep -o 'rtrack-report --put .*' $i/out | head -1)
			[ -z "$command" ] || (cd $i && bash -c "$command" >>../../everything 2>&1) || unsent+=" $i"
			[ "$(s3 list killed "$i/")" = "\"$i/run.json.gz\"" ] || unsent+=" $i"
			;;
		esac
		end_tree "${of_round[$i]}"
	done
done
cat ./*/out >>../everything 2>/dev/null
check_equal "$rounds kills: every one can be read from the store" "$unread" ''
check_equal 'all bytes of the pieces are those of the journal' "$wrong" ''
check_equal 'only the collector is killed: nothing is lost' "$late" ''
# A second of pieces, a second to notice, send and store them, on a machine that is busy.
check_that 'everything is killed: at most a piece is lost' "$most <= 4"
echo "# at most $most s were lost, with pieces each second"
check_equal 'only the uploader is killed: the recording is sent in the end' "$unsent" ''
check_equal 'recovered: the same samples' "$unrecovered" ''
check_equal 'and no pieces are left' "$left" ''
check 'nothing to recover: told' fails "$R" --recover s3://killed/nothing.json.gz
# The one that was recovered above.
check_equal 'nor of a recording that has ended' "$("$R" --recover s3://killed/1/run.json.gz 2>&1)" \
	'rtrack-collect: s3://killed/1/run.json.gz exists, so there is nothing to recover'
check_equal 'and no download is left' "$(find . -maxdepth 1 -name 'run*')" ''
cd .. || exit 1
