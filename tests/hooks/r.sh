# packaging/r/rtrack.R: a session of R is recorded, and its numbers come back; what fails is an error of R.
. tests/check.sh
. tests/hooks/recipe.bash
command -v Rscript >/dev/null || skip_all 'R is not installed'
cd "$D" || exit 1
cat >session.R <<'EOF'
source(file.path(Sys.getenv("ROOT"), "packaging/r/rtrack.R"))
recording <- rtrack_start("a file.json.gz", interval = 0.1, name = "it's R")
x <- numeric(2e7)
i <- 0
while (proc.time()[["user.self"]] + proc.time()[["sys.self"]] < 1.5) i <- i + 1
cat("live", length(rtrack_stats(recording)) > 5, "\n")
setwd("elsewhere")
rtrack_stop(rtrack_stop(recording))
stats <- rtrack_stats(recording)
samples <- rtrack_samples(recording)
cat("peak", stats[["process_memory.max"]] > 1.6e8, "\n")
cat("space", "system_disk_space_used.max" %in% names(stats), any(grepl("_gb", names(samples))), "\n")
cat("rows", nrow(samples) > 3, samples$timestamp[2] > samples$timestamp[1], "\n")
rtrack_report(recording, "../page.html", "--offline")
said <- function(code) cat(tryCatch(code, error = conditionMessage), "\n")
said(rtrack_start(options = "--nonsense"))
said(rtrack_stats("none.gz"))
recording <- rtrack_start("../end.json.gz", interval = 0.1)
EOF
mkdir elsewhere
ROOT=$ROOT Rscript --vanilla session.R >out 2>err
check_equal 'the session ends' "$?$(<err)" 0
check_equal 'it has its numbers' "$(paste -sd, out)" "live TRUE ,peak TRUE ,space TRUE FALSE ,rows TRUE TRUE ,\
rtrack-collect: unknown option --nonsense (--help lists them) ,rtrack-report: none.gz: No such file or directory "
check 'the page has its name' has page.html "<title>it&#39;s R: finished"
wait_until test -e end.json.gz
check_equal 'a recording ends with R' "$(rtrack-report --offline -j - end.json.gz | grep -o '"word":"[a-z]*"' | head -n 1)" '"word":"finished"'
echo "1..$n"
