/* import: what other programs wrote down about jobs. */
#include "report/import/import.h"

#include <stdlib.h>
#include <string.h>

const char *const import_origins[IMPORT_ORIGINS] = {
    [IMPORT_RECORDED] = "recorded",      [IMPORT_OF_SACCT] = "sacct",
    [IMPORT_OF_SEFF] = "seff",           [IMPORT_OF_NEXTFLOW] = "nextflow",
    [IMPORT_OF_SNAKEMAKE] = "snakemake", [IMPORT_OF_TIME] = "time",
    [IMPORT_OF_DUCT] = "duct",           [IMPORT_RECORDED_AND_SACCT] = "recorded+sacct",
};

enum import_origin import_origin_find(const char *word)
{
	int i = IMPORT_ORIGINS - 1;

	while (i > IMPORT_RECORDED && strcmp(import_origins[i], word) != 0)
		i--;
	return (enum import_origin)i;
}

void import_unknown(struct import *in, size_t line, const char *column, const char *value)
{
	if (!in->unknown++ && !*in->example.msg)
		err_set(&in->example, "%s:%zu: %s: \"%.60s\" is not understood", in->name, line,
		        column, value);
}

void import_left_out(struct import *in, size_t line, const char *why)
{
	if (!in->left_out++ && !*in->example.msg)
		err_set(&in->example, "%s:%zu: %s", in->name, line, why);
}

bool import_next_line(struct import *in, struct import_line *line)
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

void import_line_free(struct import_line *line)
{
	free(line->s);
	*line = (struct import_line){.s = NULL};
}

int import_give(struct import *in, const struct import_job *job, struct err *e)
{
	in->jobs++;
	in->refused = in->each(in->ctx, job, e) != 0;
	return in->refused ? -1 : 0;
}
