/* change_points_cli: measures of one page from standard input → their change points. A measure is a
 * line "VALUE:STRATUM:INPUT:WAITED VALUE:STRATUM:INPUT:WAITED …"; without ":INPUT" it is unknown,
 * and without ":WAITED" 0. An empty line ends a page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/history/same_input.h"

#define MEASURES 8

static size_t read_rows(char *line, struct change_row rows[CHANGE_RUNS])
{
	size_t n = 0;

	for (char *at = line; *at && *at != '\n' && n < CHANGE_RUNS; n++) {
		rows[n].value = strtod(at, &at);
		rows[n].stratum = (size_t)strtoul(at + 1, &at, 10);
		rows[n].input = *at == ':' ? strtod(at + 1, &at) : (double)NAN;
		rows[n].waited = *at == ':' ? strtod(at + 1, &at) : 0;
		at += *at == ' ';
	}
	return n;
}

static void print_page(struct change_series *s, size_t n)
{
	static struct change_row room[MEASURES][CHANGE_RUNS];
	struct same_input m[MEASURES];

	for (size_t i = 0; i < n; i++)
		m[i] = (struct same_input){.s = &s[i], .row = room[i]};
	same_input_find(m, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < s[i].points; k++) {
			const struct change_point *c = &s[i].point[k];
			printf("%s%zu p=%.6f %.6g->%.6g %.6f [%.6f,%.6f]%s%s", k ? "; " : "", c->at,
			       c->p, c->before, c->after, c->step, c->least, c->most,
			       c->machine ? " machine" : "", c->waited ? " waited" : "");
		}
		printf("%s%s\n", s[i].points ? "" : "-", m[i].kept ? " same input" : "");
	}
	printf("\n");
}

int main(void)
{
	static struct change_row rows[MEASURES][CHANGE_RUNS];
	static struct change_series s[MEASURES];
	char *line = NULL;
	size_t room = 0, n = 0;

	while (getline(&line, &room, stdin) > 0) {
		if (*line == '\n') {
			print_page(s, n);
			n = 0;
		} else if (n < MEASURES) {
			s[n] = (struct change_series){.rows = rows[n]};
			s[n].n = read_rows(line, rows[n]);
			n++;
		}
	}
	free(line);
	return 0;
}
