/* import: what other programs wrote down about jobs. */
#include "fleet/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "fleet/import/duct.h"
#include "fleet/import/gnu_time.h"
#include "fleet/import/nextflow_trace.h"
#include "fleet/import/sacct.h"
#include "fleet/import/sacct_json.h"
#include "fleet/import/seff.h"
#include "fleet/import/snakemake_benchmark.h"

const char *const import_origins[IMPORT_ORIGINS] = {
    [IMPORT_RECORDED] = "recorded",      [IMPORT_OF_SACCT] = "sacct",
    [IMPORT_OF_SEFF] = "seff",           [IMPORT_OF_NEXTFLOW] = "nextflow",
    [IMPORT_OF_SNAKEMAKE] = "snakemake", [IMPORT_OF_TIME] = "time",
    [IMPORT_OF_DUCT] = "duct",           [IMPORT_RECORDED_AND_SACCT] = "recorded+sacct",
};

/* -- files that cannot be read as they are ----------------------------------------------------*/

#define LINE_MAX_B 4096

/* The line at text without its end; where the next one begins. What is longer is cut. */
static const char *cut_line(const char *text, const char *end, char line[LINE_MAX_B])
{
	const char *stop = memchr(text, '\n', (size_t)(end - text));
	size_t n = (size_t)((stop ? stop : end) - text);

	if (n >= LINE_MAX_B)
		n = LINE_MAX_B - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	line[strcspn(line, "\r")] = '\0';
	return stop ? stop + 1 : end;
}

/* Whether one of the fields between these characters is one of the words. */
static bool names_one_of(const char *line, const char *between, const char *const *words)
{
	while (*line) {
		size_t n = strcspn(line, between);
		for (size_t i = 0; words[i]; i++)
			if (strlen(words[i]) == n && memcmp(line, words[i], n) == 0)
				return true;
		line += n + (line[n] != '\0');
	}
	return false;
}

static const char *const ids[] = {"JobID", "JobIDRaw", NULL};
static const char *const states[] = {"COMPLETED", "FAILED",        "CANCELLED", "TIMEOUT",
                                     "RUNNING",   "OUT_OF_MEMORY", "NODE_FAIL", "PENDING",
                                     "PREEMPTED", "DEADLINE",      "REQUEUED",  NULL};

/* "------------ ---------- " */
static bool is_ruled(const char *line)
{
	return strncmp(line, "----", 4) == 0 && line[strspn(line, "- ")] == '\0';
}

/* "       JobID    JobName      State " */
static bool is_header_without_ruler(const char *line)
{
	static const char *const others[] = {"State", "ExitCode", "Elapsed", NULL};
	char word[16];

	line += strspn(line, " ");
	snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
	return names_one_of(word, " ", ids) && names_one_of(line, " ", others);
}

/* Whether a field is an exit code: "0:0". */
static bool has_exit_code(const char *line, const char *between)
{
	for (size_t n; *line; line += n + (line[n] != '\0')) {
		size_t code = strspn(line, "0123456789");
		n = strcspn(line, between);
		if (code && line[code] == ':' &&
		    strspn(line + code + 1, "0123456789") == n - code - 1 && n > code + 1)
			return true;
	}
	return false;
}

/* "123_4.batch|…|COMPLETED|…", with one of these characters after the ID. */
static bool is_job_line(const char *line, const char *between)
{
	size_t n = strspn(line, "0123456789_+.abcdefghijklmnopqrstuvwxyz");

	return isdigit((unsigned char)*line) && line[n] && strchr(between, line[n]) &&
	       names_one_of(line + n + 1, "|,;\t ", states);
}

/* Whether n bytes hold a time of day: "10:00:00". */
static bool has_time_of_day(const char *s, size_t n)
{
	for (size_t i = 0; i + 8 <= n; i++)
		if (s[i + 2] == ':' && s[i + 5] == ':' && isdigit((unsigned char)s[i]) &&
		    isdigit((unsigned char)s[i + 3]) && isdigit((unsigned char)s[i + 6]))
			return true;
	return false;
}

#define STAMPED "lines of GNU time with time stamps before them: remove these with sed "

/* A line of GNU time after a time stamp, and perhaps the names of a CI's job and step: what removes
 * them. Its own lines begin with a tab. */
static const char *stamped(const char *text, size_t n)
{
	static const char words[] = "Command being timed: \"";
	const char *at = memmem(text, n, words, sizeof words - 1), *line = at;

	while (line && line > text && line[-1] != '\n')
		line--;
	if (!at || !has_time_of_day(line, (size_t)(at - line)))
		return NULL;
	if (at[-1] == '\t')
		return STAMPED "'s/.*\\t/\\t/'";
	if (at - line > 1 && memchr(line, ' ', (size_t)(at - line - 1)))
		return STAMPED "-E 's/^([^ ]+ +){2}//'";
	return STAMPED "'s/^[^ ]* *//'";
}

/* Tables that must have tabs. */
static const char *delimited(const char *first)
{
	static const char *const task[] = {"task_id", NULL}, *const hash[] = {"hash", NULL},
				 *const clock[] = {"h:m:s", NULL}, *const rss[] = {"max_rss", NULL};
	static const char between[] = ",; ";

	if (strchr(first, '\t'))
		return NULL;
	if (names_one_of(first, between, task) && names_one_of(first, between, hash))
		return "a trace of Nextflow without tabs between the columns: write it with "
		       "trace.sep = '\\t', which is the default";
	if (names_one_of(first, between, clock) && names_one_of(first, between, rss))
		return "a benchmark of Snakemake without tabs between the columns: give the file "
		       "that Snakemake wrote, or write it with sep=\"\\t\"";
	return NULL;
}

const char *import_refused(const char *text, size_t n)
{
	const char *end = text + n, *next = text, *why;
	char first[LINE_MAX_B], second[LINE_MAX_B];

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		next += 3;
	next = cut_line(next, end, first);
	cut_line(next, end, second);
	if ((names_one_of(first, " ", ids) && is_ruled(second)) || is_header_without_ruler(first) ||
	    (is_job_line(first, " ") && has_exit_code(first, " ")))
		return "the table that sacct prints, in which values are cut: write it with "
		       "sacct -P, which has \"|\" between the columns";
	if (is_job_line(first, "|") || (is_job_line(first, ",;\t") && has_exit_code(first, ",;\t")))
		return "lines of sacct without the names of their columns: write it with sacct -P, "
		       "without -n (--noheader)";
	if (names_one_of(first, ",;\t~^", ids) && !strchr(first, '|'))
		return "lines of sacct with another delimiter: write it with sacct -P, without "
		       "--delimiter";
	if (memmem(text, n, "# Job ID:", 9) && memmem(text, n, "\n# State:", 9))
		return "numbers of seff with \"# \" before each line: write it with seff JOBID";
	if (memmem(text, n, "Slurm Job Statistics", 20) && memmem(text, n, " Job ID: ", 9))
		return "the page that jobstats prints: write its numbers with sacct -P, with "
		       "AdminComment among the columns";
	if (*first == '{' && strstr(first, "\"h:m:s\"") && strstr(first, "\"max_rss\""))
		return "a benchmark of Snakemake as JSON lines: give the file of the rule's "
		       "benchmark: the ending .tsv, and Snakemake writes a table";
	why = delimited(first);
	return why ? why : stamped(text, n);
}

static bool looks_refused(const char *text, size_t n)
{
	return import_refused(text, n) != NULL;
}

static int say_refused(struct import *in, struct err *e)
{
	char head[IMPORT_HEAD];
	size_t n = fread(head, 1, sizeof head, in->f);
	const char *why = import_refused(head, n);

	return err_set(e, "%s: this looks like %s", in->name, why ? why : "another file now");
}

/* -- kinds ------------------------------------------------------------------------------------- */

static const struct {
	enum import_origin origin;
	bool (*recognise)(const char *text, size_t n);
	int (*read)(struct import *in, struct err *e);
} kinds[IMPORT_KINDS] = {
    [IMPORT_NONE] = {IMPORT_RECORDED, NULL, NULL},
    [IMPORT_NEXTFLOW] = {IMPORT_OF_NEXTFLOW, nextflow_trace_recognise, nextflow_trace_read},
    [IMPORT_SNAKEMAKE] = {IMPORT_OF_SNAKEMAKE, snakemake_benchmark_recognise,
                          snakemake_benchmark_read},
    [IMPORT_TIME] = {IMPORT_OF_TIME, gnu_time_recognise, gnu_time_read},
    [IMPORT_DUCT] = {IMPORT_OF_DUCT, duct_recognise, duct_read},
    [IMPORT_SACCT] = {IMPORT_OF_SACCT, sacct_recognise, sacct_read},
    [IMPORT_SACCT_JSON] = {IMPORT_OF_SACCT, sacct_json_recognise, sacct_json_read},
    [IMPORT_SEFF] = {IMPORT_OF_SEFF, seff_recognise, seff_read},
    [IMPORT_REFUSED] = {IMPORT_RECORDED, looks_refused, say_refused},
};

enum import_kind import_kind_of(const char *text, size_t n)
{
	for (int i = 1; i < IMPORT_KINDS; i++)
		if (kinds[i].recognise && kinds[i].recognise(text, n))
			return (enum import_kind)i;
	return IMPORT_NONE;
}

enum import_origin import_origin_of(enum import_kind kind)
{
	return kinds[kind].origin;
}

enum import_origin import_origin_find(const char *word)
{
	int i = IMPORT_ORIGINS - 1;

	while (i > IMPORT_RECORDED && strcmp(import_origins[i], word) != 0)
		i--;
	return (enum import_origin)i;
}

int import_read(struct import *in, enum import_kind kind, struct err *e)
{
	if (!kinds[kind].read)
		return err_set(e, "%s: not a file that can be imported", in->name);
	if (kinds[kind].read(in, e))
		return -1;
	return ferror(in->f) ? err_set(e, "%s: %s", in->name, strerror(errno)) : 0;
}
