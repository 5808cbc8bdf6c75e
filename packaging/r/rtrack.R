# Records an R session with rtrack-collect and reports it with rtrack-report, which must be on PATH: source("rtrack.R").
# It needs nothing but R's own packages. docs/recipes.md has an example.

.rtrack_run <- function(program, arguments) {
  errors <- tempfile()
  on.exit(unlink(errors))
  lines <- suppressWarnings(system2(program, shQuote(arguments), stdout = TRUE, stderr = errors))
  if (!is.null(attr(lines, "status")))
    stop(paste(c(readLines(errors), if (attr(lines, "status") == 127) paste(program, "is not on PATH")), collapse = "; "),
         call. = FALSE)
  lines
}

.rtrack_wait <- function(condition, seconds) {
  end <- Sys.time() + seconds
  while (!condition() && Sys.time() < end) Sys.sleep(0.01)
  condition()
}

# Records this session into a file until rtrack_stop(), or until R ends. options: more of rtrack-collect's.
rtrack_start <- function(file = tempfile("rtrack-", fileext = ".json.gz"), interval = 1, name = NULL, options = character()) {
  if (!nzchar(Sys.which("rtrack-collect"))) stop("rtrack-collect is not on PATH")
  file <- file.path(normalizePath(dirname(file)), basename(file))
  errors <- tempfile()
  on.exit(unlink(errors))
  command <- c(if (nzchar(Sys.which("setsid"))) "setsid", # Ctrl-C is not for it
               "rtrack-collect", "-q", "-p", Sys.getpid(), "-i", interval, "-o", file, if (!is.null(name)) c("--name", name), options)
  pid <- system(paste(paste(shQuote(command), collapse = " "), "</dev/null >/dev/null 2>", shQuote(errors), "& echo $!"),
                intern = TRUE)
  recording <- structure(list(file = file, partial = paste0(file, ".partial"), pid = as.integer(pid)), class = "rtrack")
  .rtrack_wait(function() file.exists(recording$partial) || file.size(errors) > 0, 5)
  if (!file.exists(recording$partial)) stop(paste(readLines(errors), collapse = "; "))
  recording
}

# Ends a recording; its file is complete when this returns.
rtrack_stop <- function(recording) {
  if (file.exists(recording$partial)) tools::pskill(recording$pid, tools::SIGTERM)
  if (!.rtrack_wait(function() !file.exists(recording$partial), 10)) warning("the recording has not ended: ", recording$partial)
  invisible(recording)
}

# Columns in bytes do not say GB.
.rtrack_names <- function(names) sub("_gb(\\.|$)", "\\1", names)

.rtrack_file <- function(recording) {
  if (!inherits(recording, "rtrack")) recording # the path of any recording
  else if (file.exists(recording$partial)) recording$partial # it still runs
  else recording$file
}

# The statistics of a recording, also while it runs: a named vector in bytes, seconds, cores and GPUs; NA: not measured.
rtrack_stats <- function(recording) {
  template <- tempfile(fileext = ".txt")
  on.exit(unlink(template))
  writeLines("{{#usage.rows}}\n{{id}}\t{{now.value}}\n{{/usage.rows}}", template)
  lines <- .rtrack_run("rtrack-report", c("--offline", "--template", template, .rtrack_file(recording)))
  rows <- strsplit(lines, "\t", fixed = TRUE)
  stats <- suppressWarnings(as.numeric(vapply(rows, function(row) row[2], "")))
  names(stats) <- .rtrack_names(vapply(rows, function(row) row[1], ""))
  stats
}

# Its samples as a data frame; bytes, seconds and cores.
rtrack_samples <- function(recording) {
  lines <- .rtrack_run("rtrack-report", c("--offline", "--bytes", "--csv", "-", .rtrack_file(recording)))
  samples <- utils::read.csv(text = lines)
  names(samples) <- .rtrack_names(names(samples))
  samples
}

# Writes the page; options: more of rtrack-report's, such as "--offline".
rtrack_report <- function(recording, file = "rtrack.html", options = character()) {
  .rtrack_run("rtrack-report", c("-o", path.expand(file), options, .rtrack_file(recording)))
  invisible(file)
}
