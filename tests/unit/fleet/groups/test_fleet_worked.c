/* fleet_ask, fleet_group: the tables of worked examples in docs/fleet.md. */
#include <stdio.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/groups/fleet_ask.h"
#include "fleet/groups/fleet_group.h"
#include "tests/unit/unit.h"

#define GIB   1073741824.0
#define CELLS 16

/* -- the page --------------------------------------------------------------------------------------------------- */

static char page[65536];

static int read_page(void **state)
{
	FILE *f = fopen("docs/fleet.md", "r");
	size_t n = f ? fread(page, 1, sizeof page - 1, f) : 0;

	(void)state;
	page[n] = '\0';
	return f && n && fclose(f) == 0 ? 0 : -1;
}

ALL_TESTS_WITH(read_page, NULL)

/* The rows of the table below a heading, one by one; cells are cut out of a copy. */
static const char *first_row(const char *heading)
{
	const char *at = strstr(page, heading);

	assert_non_null(at);
	at = strstr(at, "\n|---");
	assert_non_null(at);
	return strchr(at + 1, '\n') + 1;
}

static size_t cells_of(const char *row, char line[1024], char *cell[CELLS])
{
	size_t n = 0, length = strcspn(row, "\n");

	assert_true(length < 1024);
	memcpy(line, row, length);
	line[length] = '\0';
	for (char *at = strtok(line, "|"); at && n < CELLS; at = strtok(NULL, "|"))
		cell[n++] = at;
	return n;
}

/* The next number of a text, behind which *at points then. NAN: none. */
static double next_number(char **at)
{
	char *end;
	double v;

	*at += strcspn(*at, "0123456789");
	v = strtod(*at, &end);
	if (end == *at)
		return NAN;
	*at = end;
	return v;
}

static double number_in(char *text)
{
	return next_number(&text);
}

static void assert_cell(double v, char *text)
{
	/* Cells have at most 4 decimals. */
	if (!(fabs(v - number_in(text)) <= 5.1e-5))
		fail_msg("%.9g is not%s", v, text);
}

/* -- memory, percentiles ---------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	const struct fleet_weight *v = a, *w = b;

	return (v->value > w->value) - (v->value < w->value);
}

/* "38 × 4 GiB, 2 × 9 GiB (1 killed)" */
static void read_runs(char *at, struct fleet_weights *out)
{
	while (strpbrk(at, "0123456789")) {
		double n = next_number(&at), gib = next_number(&at);
		bool killed = strncmp(at, " GiB (", 6) == 0;
		out->v[out->n++] = (struct fleet_weight){.value = gib * GIB,
		                                         .high = gib * GIB,
		                                         .runs = n,
		                                         .killed = killed ? next_number(&at) : 0};
	}
	qsort(out->v, out->n, sizeof *out->v, by_value);
}

TEST(test_memory)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### Memory"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_weight v[8];
		struct fleet_needs in = {.memory = {.v = v, .cap = 8}};
		struct fleet_proposal p;

		assert_int_equal(cells_of(row, line, cell), 9);
		in.killed_b = number_in(cell[4]) * GIB;
		read_runs(cell[1], &in.memory);
		for (size_t i = 0; i < in.memory.n; i++)
			if (v[i].killed > 0)
				in.killed_most_b = fmax(in.killed_most_b, v[i].value);
		in.counted = fleet_weights_runs(&in.memory);
		in.today_memory_b = number_in(cell[2]) * GIB;
		in.most_memory_b = number_in(cell[3]) * GIB;
		fleet_ask_propose(&in, &(struct fleet_policy){0}, &p);
		if (number_in(cell[5]) > 1) { /* of halves, which the table does not show */
			const struct fleet_weights *all = &in.memory;
			const struct memory_situation ahead = {.today_b = in.today_memory_b,
			                                       .lambda = MEMORY_RULE_BALANCED,
			                                       .growth = number_in(cell[5])};
			fleet_ask_rule(&all, 1, &ahead, &p.memory);
			p.ask.memory_b = p.memory.ask_b;
		}
		assert_cell(p.ask.memory_b / GIB, cell[6]);
		assert_cell(p.fail_memory, cell[7]);
		assert_cell(p.again_b / GIB, cell[8]);
	}
	assert_true(rows >= 10);
}

TEST(test_backtest)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### Back-test"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_weight v[FLEET_QUARTERS][8];
		struct fleet_quarters q = {
		    .of = {{v[0], 0, 8}, {v[1], 0, 8}, {v[2], 0, 8}, {v[3], 0, 8}}};
		struct fleet_backtest t;
		double asked;
		char *at, *next;
		assert_int_equal(cells_of(row, line, cell), 8);
		asked = number_in(cell[2]) * GIB;
		at = cell[1];
		for (int i = 0; i < FLEET_QUARTERS; i++, at = next) {
			next = at + strcspn(at, ";");
			next += *next ? (*next = '\0', 1) : 0;
			read_runs(at, &q.of[i]);
			for (size_t k = 0; k < q.of[i].n; k++)
				v[i][k].sum = v[i][k].runs * 3600;
			q.asked_byte_s += i < 2 ? 0 : fleet_weights_runs(&q.of[i]) * 3600 * asked;
		}
		fleet_ask_backtest(&q, asked, MEMORY_RULE_BALANCED, &t);
		if (isnan(number_in(cell[3]))) {
			assert_true(t.runs == 0 && isnan(t.ask_b) && isnan(t.wasted_gib_h));
			continue;
		}
		assert_cell(t.ask_b / GIB, cell[3]);
		assert_cell(t.runs, cell[4]);
		assert_cell(t.failed, cell[5]);
		assert_cell(t.wasted_gib_h, cell[6]);
		assert_cell(t.asked_wasted_gib_h, cell[7]);
	}
	assert_true(rows >= 4);
}

TEST(test_percentiles)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### CPUs, GPUs and time"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_weight v[8];
		struct fleet_weights runs = {.v = v, .cap = 8};
		struct fleet_needs in = {.most_memory_b = NAN};
		struct fleet_proposal p;
		assert_int_equal(cells_of(row, line, cell), 5);
		for (char *at = cell[2]; strpbrk(at, "0123456789"); runs.n++) {
			v[runs.n] = (struct fleet_weight){.runs = next_number(&at)};
			v[runs.n].value = v[runs.n].high = next_number(&at);
		}
		in.counted = fleet_weights_runs(&runs);
		if (strstr(cell[1], "cores"))
			in.cores = runs;
		else if (strstr(cell[1], "GPUs"))
			in.gpus = runs;
		else
			in.wall = runs;
		fleet_ask_propose(&in, &(struct fleet_policy){0}, &p);
		assert_cell(in.cores.n  ? p.cores_p95
		            : in.gpus.n ? p.gpus_p95
		                        : p.wall_p99_s,
		            cell[3]);
		assert_cell(in.cores.n  ? p.ask.cpus
		            : in.gpus.n ? p.ask.gpus
		                        : p.ask.time_s / 60,
		            cell[4]);
	}
	assert_true(rows >= 10);
}

/* -- money ------------------------------------------------------------------------------------------------------ */

static struct fleet_ask ask_in(char *text)
{
	struct fleet_ask a = {.time_s = NAN};

	a.cpus = next_number(&text);
	a.memory_b = next_number(&text) * GIB;
	a.gpus = next_number(&text);
	return a;
}

/* From the cells asked, hours, proposed, again, A_max. */
static struct fleet_cell cell_of(char **cell, struct fleet_ask *proposed)
{
	struct fleet_ask asked = ask_in(cell[0]);
	double s = number_in(cell[1]) * 3600;

	*proposed = ask_in(cell[2]);
	return (struct fleet_cell){.wall_s = s,
	                           .asked_core_s = asked.cpus * s,
	                           .asked_byte_s = asked.memory_b * s,
	                           .asked_gpu_s = asked.gpus * s,
	                           .most = asked,
	                           .memory_again_s = number_in(cell[3]) * 3600,
	                           .again_b = number_in(cell[4]) * GIB};
}

TEST(test_prices)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### Money by prices"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_ask machine, proposed;
		struct fleet_cell c;
		double price, asked, then;
		assert_int_equal(cells_of(row, line, cell), 11);
		machine = ask_in(cell[1]);
		price = number_in(cell[2]);
		c = cell_of(&cell[3], &proposed);
		c.machine = (struct catalog_machine){
		    .vcpus = machine.cpus, .memory_b = machine.memory_b, .gpus = machine.gpus};
		asked = price * fleet_group_money_share(&c.most, &c.machine) * c.wall_s / 3600;
		then = price * fleet_group_money_machine_s(&c, &proposed) / 3600;
		assert_cell(asked, cell[8]);
		assert_cell(then, cell[9]);
		assert_cell(fleet_group_money_recoverable(asked, then), cell[10]);
	}
	assert_true(rows >= 6);
}

TEST(test_times)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### Time with other CPUs"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_ask machine, proposed, asked;
		struct fleet_times t = {0};
		struct fleet_cell c;
		double price, cost, then;
		char *at;
		assert_int_equal(cells_of(row, line, cell), 11);
		machine = ask_in(cell[1]);
		price = number_in(cell[2]);
		proposed = asked = ask_in(cell[3]);
		t.known_s = number_in(cell[4]) * 3600;
		at = cell[5];
		for (int i = 0; i < CATALOG_TIMES; i++) {
			double share = next_number(&at);
			t.at[i] = isnan(share) ? t.at[i - 1] : share * t.known_s;
		}
		t.asked_s = fleet_time_at(&t, asked.cpus);
		proposed.cpus = fleet_time_fewest(&t, FLEET_TIME_SLOWDOWN);
		assert_cell(proposed.cpus, cell[6]);
		assert_cell(fleet_time_longer(&t, proposed.cpus), cell[7]);
		c = (struct fleet_cell){.machine = {.vcpus = machine.cpus,
		                                    .memory_b = machine.memory_b,
		                                    .gpus = machine.gpus},
		                        .wall_s = t.known_s,
		                        .most = asked,
		                        .more_s =
		                            t.known_s * (fleet_time_longer(&t, proposed.cpus) - 1)};
		cost = price * fleet_group_money_share(&c.most, &c.machine) * c.wall_s / 3600;
		then = price * fleet_group_money_machine_s(&c, &proposed) / 3600;
		assert_cell(cost, cell[8]);
		assert_cell(then, cell[9]);
		assert_cell(fleet_group_money_recoverable(cost, then), cell[10]);
	}
	assert_true(rows >= 5);
}

TEST(test_rates)
{
	char line[1024], *cell[CELLS];
	int rows = 0;

	for (const char *row = first_row("### Money by rates"); *row == '|';
	     row = strchr(row, '\n') + 1, rows++) {
		struct fleet_ask proposed;
		struct fleet_rates r;
		struct fleet_cell c;
		double asked, then;
		char *at;
		assert_int_equal(cells_of(row, line, cell), 10);
		at = cell[1];
		r.cpu = next_number(&at);
		r.memory = next_number(&at);
		r.gpu = next_number(&at);
		c = cell_of(&cell[2], &proposed);
		asked = fleet_group_money_asked(&r, &c);
		then = fleet_group_money_proposed(&r, &c, &proposed);
		assert_cell(asked, cell[7]);
		assert_cell(then, cell[8]);
		assert_cell(fleet_group_money_recoverable(asked, then), cell[9]);
	}
	assert_true(rows >= 6);
}
