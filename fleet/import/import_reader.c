/* import_reader: what a reader of foreign files calls. */
#include "fleet/import/import_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIVEN       1.2
#define MACHINE_MAX 0x1p48 /* bytes: 256 TiB, more than any machine has */

void import_reader_unknown(struct import *in, size_t line, const char *column, const char *value)
{
	if (!in->unknown++ && !*in->example.msg)
		err_set(&in->example, "%s:%zu: %s: \"%.60s\" is not understood", in->name, line,
		        column, value);
}

void import_reader_left_out(struct import *in, size_t line, const char *why)
{
	if (!in->left_out++ && !*in->example.msg)
		err_set(&in->example, "%s:%zu: %s", in->name, line, why);
}

static double impossible(struct import *in, size_t line, const char *what)
{
	if (!in->impossible++ && !*in->example.msg)
		err_set(&in->example, "%s:%zu: %s cannot be true", in->name, line, what);
	return NAN;
}

double import_reader_cpu(struct import *in, size_t line, double cpu_s, double wall_s, double given)
{
	char what[96];

	if (!(cpu_s > GIVEN * given * (wall_s + 1)))
		return cpu_s;
	snprintf(what, sizeof what, "%.4g CPUs in use (%%cpu) of %.4g that it was given",
	         cpu_s / wall_s, given);
	return impossible(in, line, what);
}

double import_reader_peak(struct import *in, size_t line, double peak_b, double machine_b)
{
	char what[96];

	if (!(peak_b > (machine_b > 0 ? machine_b : MACHINE_MAX)))
		return peak_b;
	snprintf(what, sizeof what, "a peak of memory of %.4g bytes of a machine that has %.4g",
	         peak_b, machine_b > 0 ? machine_b : MACHINE_MAX);
	return impossible(in, line, what);
}

double import_reader_between(struct import *in, size_t line, double start, double end)
{
	return end < start ? impossible(in, line, "an end before the start") : end - start;
}

bool import_reader_next_line(struct import *in, struct import_line *line)
{
	size_t n = 0, cap;
	char *s;
	int c;

	if (!line->s) {
		line->s = malloc(IMPORT_LINE + 1);
		line->cap = line->s ? IMPORT_LINE : 0;
	}
	/* Copies, which the bytes that are stored cannot change. */
	s = line->s;
	cap = line->cap;
	while ((c = getc_unlocked(in->f)) != EOF && c != '\n')
		if (n++ < cap)
			s[n - 1] = (char)c;
	line->cut = n > cap;
	line->n = n < cap ? n : cap;
	if (!line->s || (c == EOF && !line->n && !line->cut))
		return false;
	line->whole = c == '\n';
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	line->s[line->n] = '\0';
	if (!line->number++ && strncmp(line->s, "\xef\xbb\xbf", 3) == 0) {
		line->n -= 3;
		memmove(line->s, line->s + 3, line->n + 1);
	}
	line->n = strlen(line->s);
	return true;
}

void import_reader_line_free(struct import_line *line)
{
	free(line->s);
	*line = (struct import_line){.s = NULL};
}

int import_reader_give(struct import *in, const struct import_job *job, struct err *e)
{
	in->jobs++;
	in->refused = in->each(in->ctx, job, e) != 0;
	return in->refused ? -1 : 0;
}
