/* asked_text: the lists and files by which schedulers say what a job got. */
#include "collect/job/asked_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "collect/job/asked_grammar.h"
#include "collect/procfs/scan.h"

/* A list longer than this says nothing about a real machine. */
#define COUNT_MAX 1000000

double asked_text_number(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	double v;

	return scan_decimal(&s, &v) && s.p == s.end ? v : NAN;
}

double asked_text_item(const char *text, size_t n, size_t index)
{
	struct scan s = scan_text(text, n);
	int value, times;

	do {
		times = 1;
		if (!scan_int(&s, &value) ||
		    (scan_literal(&s, "(x") && (!scan_int(&s, &times) || !scan_literal(&s, ")"))))
			return NAN;
		if (index < (size_t)times)
			return value;
		index -= (size_t)times;
	} while (scan_literal(&s, ","));
	return NAN;
}

double asked_text_count(const char *text, size_t n)
{
	struct scan s = scan_text(text, n);
	int first, last, count = 0;

	do {
		if (!scan_int(&s, &first))
			return NAN;
		last = first;
		if (scan_literal(&s, "-") && !scan_int(&s, &last))
			return NAN;
		if (last < first || last - first >= COUNT_MAX - count)
			return NAN;
		count += last - first + 1;
	} while (scan_literal(&s, ","));
	return s.p == s.end ? (double)count : NAN;
}

/* Whether two host names are the same up to the domain that one of them may lack. */
static bool is_same_host(struct scan name, const char *host)
{
	size_t n = (size_t)(name.end - name.p), m = strlen(host);
	size_t short_n = n ? strcspn(host, ".") : 0;
	const char *dot = n ? memchr(name.p, '.', n) : NULL;

	if (n == m)
		return n && strncasecmp(name.p, host, n) == 0;
	if (n == short_n && !dot)
		return strncasecmp(name.p, host, n) == 0;
	return dot && short_n == m && (size_t)(dot - name.p) == m &&
	       strncasecmp(name.p, host, m) == 0;
}

double asked_text_hosts(const char *text, size_t n, bool lines, const char *host, double *hosts)
{
	struct scan s = scan_text(text, n), name, word = {NULL, NULL};
	double sum = NAN, slots = 0, pairs = 0;

	for (; pairs < COUNT_MAX && !isnan(slots) && scan_word(&s, &name); pairs++) {
		slots = scan_word(&s, &word)
		            ? asked_text_number(word.p, (size_t)(word.end - word.p))
		            : NAN;
		if (is_same_host(name, host))
			sum = isnan(sum) ? slots : sum + slots;
		if (lines)
			(void)scan_line(&s, &word);
	}
	*hosts = isnan(slots) ? NAN : pairs;
	return isnan(slots) ? NAN : sum;
}

double asked_text_ad(const char *text, size_t n, const char *attribute)
{
	struct scan s = scan_text(text, n), line, name;
	size_t length = strlen(attribute);

	while (scan_line(&s, &line)) {
		if (!scan_word(&line, &name) || (size_t)(name.end - name.p) != length ||
		    strncasecmp(name.p, attribute, length) != 0)
			continue;
		scan_blanks(&line);
		if (!scan_literal(&line, "="))
			continue;
		scan_blanks(&line);
		while (line.end > line.p && (line.end[-1] == ' ' || line.end[-1] == '\r'))
			line.end--;
		return asked_text_number(line.p, (size_t)(line.end - line.p));
	}
	return NAN;
}

/* The value of a word NAME=AMOUNT. Neither UNLIMITED nor Partition_Limit is an amount, and 0 of
 * memory is none that was asked for. */
static void take_amount(struct scan word, const char *name, enum snapshot_asked_id id, double *out)
{
	double v;

	if (scan_literal(&word, name) && isnan(*out) &&
	    asked_grammar_amount(id, word.p, (size_t)(word.end - word.p), &v) && v > 0)
		*out = v;
}

struct asked_text_job asked_text_scontrol(const char *text, size_t n)
{
	struct asked_text_job job = {NAN, NAN, NAN};
	struct scan s = scan_text(text, n), word;

	while (scan_word(&s, &word)) {
		take_amount(word, "TimeLimit=", SNAPSHOT_ASKED_TIME, &job.time_s);
		take_amount(word, "MinMemoryNode=", SNAPSHOT_ASKED_MEMORY, &job.memory_b);
		take_amount(word, "MinMemoryCPU=", SNAPSHOT_ASKED_MEMORY, &job.memory_per_cpu_b);
	}
	return job;
}
