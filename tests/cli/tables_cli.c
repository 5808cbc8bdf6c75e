/* tables_cli: prints a table of a document, in Markdown, from the code's own table.
 *
 * tables_cli NAME prints a table; without a name it prints the names. tests/tables puts the tables
 * into their documents. tables_cli fleet_options prints all options of rtrack-fleet as --help does,
 * for its man page: rtrack-fleet itself lists those of one verb. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "collect/job/schedulers.h"
#include "core/end/end_cause.h"
#include "core/head/rtrack_row.h"
#include "core/numbers/metric.h"
#include "core/recording/snapshot_fields.h"
#include "fleet/options/fleet_options.h"
#include "report/units/units.h"

static bool failed;

/* -- lines: keys, and what they mean ----------------------------------------------------------- */

static const char *pending; /* what the keys of the line that is begun mean */

static void end_line(void)
{
	if (pending)
		printf(" | %s |\n", pending);
	pending = NULL;
}

/* A key without help stands in the line of the key before it. */
static void print_key(const char *object, const char *key, const char *schema_2, const char *help)
{
	if (help)
		end_line();
	if (!help && !pending) {
		fprintf(stderr, "tables_cli: the first key, %s, has no HELP\n", key);
		failed = true;
		help = "";
	}
	printf("%s`%s%s%s`", pending ? ", " : "| ", object, *object ? "." : "", key);
	if (schema_2)
		printf(" (schema 2: `%s`)", schema_2);
	if (help)
		pending = help;
}

/* -- rtrack_row, and a catalog's columns -------------------------------------------------------- */

static const struct {
	const char *key, *help;
	int at, known, max;
	bool more;
} row_keys[] = {
#define AT(...)                  .at = 1
#define KNOWN(...)               .known = 1
#define COLUMN(...)              .at = 1
#define MACHINE(...)             .at = 1
#define ASKED(...)               .at = 1
#define HELP(text)               .help = text
#define ROW(id, kind, name, ...) {.key = name, __VA_ARGS__},
#include "core/head/rtrack_row.def"
#undef COLUMN
};

static const struct {
	const char *key, *help;
} catalog_columns_help[] = {
#define HELP(text)                        .help = text
#define COLUMN(id, kind, name, join, ...) {.key = name, __VA_ARGS__},
#include "fleet/catalog/catalog_columns.def"
#undef COLUMN
#undef HELP
};

static void print_catalog_columns(void)
{
	printf("| column | value |\n|---|---|\n");
	for (size_t i = 0; i < sizeof catalog_columns_help / sizeof *catalog_columns_help; i++)
		print_key("", catalog_columns_help[i].key, NULL, catalog_columns_help[i].help);
	end_line();
}

static void print_row_keys(void)
{
	printf("| key | value |\n|---|---|\n");
	for (size_t i = 0; i < sizeof row_keys / sizeof *row_keys; i++)
		print_key("", row_keys[i].key, NULL, row_keys[i].help);
	end_line();
}

/* -- objects of the head ----------------------------------------------------------------------- */

static const struct head_key {
	enum snapshot_block block;
	bool is_block;
	int in; /* of a block: 1 + the block that it is a member of; 0: "rtrack" */
	const char *key, *schema_2, *old_key, *help;
	bool mib, zero;
} head_keys[] = {
#define IN(parent, text)                 .in = 1 + SNAPSHOT_##parent, .help = text
#define HELP(text)                       .help = text
#define BLOCK(id, type, ...)             {.block = SNAPSHOT_##id, .is_block = true, __VA_ARGS__},
#define FIELD(block_, member, kind, ...) {.block = SNAPSHOT_##block_, __VA_ARGS__},
#define KEY(block_, name, ...)           {.block = SNAPSHOT_##block_, .key = name, __VA_ARGS__},
#include "core/recording/snapshot_fields.def"
};
#define HEAD_KEYS (sizeof head_keys / sizeof *head_keys)

static const struct {
	const char *name;
	enum snapshot_block block;
} objects[] = {
    {"metadata", SNAPSHOT_META},
    {"server_info", SNAPSHOT_SERVER},
    {"cloud_info", SNAPSHOT_CLOUD},
    {"rtrack", SNAPSHOT_RTRACK},
    {"statistics", SNAPSHOT_STATISTICS},
    {"memory", SNAPSHOT_MEMORY},
    {"machine", SNAPSHOT_MACHINE},
    {"end", SNAPSHOT_END},
    {"evidence", SNAPSHOT_END_EVIDENCE},
    {"tasks", SNAPSHOT_TASKS},
    {"totals", SNAPSHOT_TOTALS},
    {"asked", SNAPSHOT_ASK},
    {"part", SNAPSHOT_PART},
    {"inputs", SNAPSHOT_INPUT},
    {"limits", SNAPSHOT_LIMITS},
    {"gpus", SNAPSHOT_GPU},
    {"states", SNAPSHOT_STATES},
    {"processes", SNAPSHOT_PROCESSES},
    {"sampled", SNAPSHOT_SAMPLED},
};
#define OBJECTS (sizeof objects / sizeof *objects)

static bool has_table(enum snapshot_block block)
{
	for (size_t i = 0; i < OBJECTS; i++)
		if (objects[i].block == block)
			return true;
	return false;
}

/* The row of the block: of one whose key is NULL, that of the block that it continues. */
static const struct head_key *head_block(enum snapshot_block block)
{
	const struct head_key *found = NULL;

	for (size_t i = 0; i < HEAD_KEYS && (!head_keys[i].is_block || head_keys[i].block <= block);
	     i++)
		if (head_keys[i].is_block && head_keys[i].key)
			found = &head_keys[i];
	return found;
}

static bool is_in(const struct head_key *block, enum snapshot_block parent)
{
	return block->in ? block->in == 1 + (int)parent : parent == SNAPSHOT_RTRACK;
}

/* Members of members stand in the table, too, unless they have one of their own. */
static void print_object(enum snapshot_block table)
{
	printf("| key | value |\n|---|---|\n");
	for (size_t i = 0; i < HEAD_KEYS; i++) {
		const struct head_key *k = &head_keys[i], *block = head_block(k->block);
		if (k->is_block && k->help && is_in(k, table))
			print_key("", k->key, NULL, k->help);
		else if (!k->is_block && block->block == table)
			print_key("", k->key, k->schema_2, k->help);
		else if (!k->is_block && is_in(block, table) && !has_table(block->block) &&
		         (k->help || pending != block->help))
			print_key(block->key, k->key, k->schema_2, k->help);
		else if (!k->is_block && is_in(block, table) && !has_table(block->block) &&
		         !strstr(block->help, k->key)) {
			fprintf(stderr, "tables_cli: %s.%s is described nowhere\n", block->key,
			        k->key);
			failed = true;
		}
	}
	end_line();
}

/* -- columns of the samples -------------------------------------------------------------------- */

/* How a snapshot writes a unit: "kB, 0". */
static void print_unit(enum metric_id id, enum schema schema)
{
	const struct metric *m = &metrics[id];
	double third = metric_spell(m, schema, metric_scale(m->unit, schema) / 3);
	int digits = 0;

	while (digits < 9 && fabs(third * pow(10, digits) - round(third * pow(10, digits))) > 1e-6)
		digits++;
	printf("%s, %d", metric_unit_name(m->unit, schema), digits);
}

static void print_columns(enum metric_scope scope)
{
	printf("| schema 1 | schema 2 | unit, decimals | what |\n|---|---|---|---|\n");
	for (enum metric_id id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		bool same = strcmp(m->name[SCHEMA_1], m->name[SCHEMA_2]) == 0;
		if (m->scope != scope || !m->documented)
			continue;
		printf("| `%s` | ", m->name[SCHEMA_1]);
		printf(same ? "same | " : "`%s` | ", m->name[SCHEMA_2]);
		print_unit(id, SCHEMA_1);
		if (strcmp(metric_unit_name(m->unit, SCHEMA_1),
		           metric_unit_name(m->unit, SCHEMA_2)) != 0) {
			printf(" / ");
			print_unit(id, SCHEMA_2);
		}
		printf(" | %s |\n", m->help);
	}
}

/* -- labels of a scheduler, CI system or workflow engine --------------------------------------- */

/* "{NAME}" is a variable; other texts have some. */
static void print_source(const char *text)
{
	size_t n = strlen(text);

	if (n > 2 && strcspn(text, "}") == n - 1)
		printf("`%.*s`", (int)n - 2, text + 1);
	else
		printf("`%s`", text);
}

static void print_labels(const struct scheduler *s)
{
	printf("| label | from |\n|---|---|\n");
	for (size_t i = 0; i < SCHEDULERS_LABELS && s->labels[i].label; i++) {
		bool same = i > 0 && strcmp(s->labels[i - 1].label, s->labels[i].label) == 0;
		if (i > 0 && !same)
			printf(" |\n");
		if (!same)
			printf("| `%s` | ", s->labels[i].label);
		printf(same ? ", or " : "");
		print_source(s->labels[i].from);
	}
	printf(" |\n");
}

/* -- the fleet's table of groups --------------------------------------------------------------- */

enum { NUMBER, SHARE, CHANGE, TEXT };
static const struct {
	const char *key, *label;
	enum unit unit;
	int kind;
} fleet_columns[] = {
#define COLUMN(id, key, label, head, unit, kind, value) {key, label, UNIT_##unit, kind},
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
};

static void print_fleet_columns(void)
{
	printf("| id | label | unit |\n|---|---|---|\n");
	for (size_t i = 0; i < sizeof fleet_columns / sizeof *fleet_columns; i++) {
		const char *unit = units_name(fleet_columns[i].unit);
		if (fleet_columns[i].kind == SHARE || fleet_columns[i].kind == CHANGE)
			unit = "a share of 1";
		else if (fleet_columns[i].kind != NUMBER)
			unit = "text";
		printf("| `%s` | %s | %s |\n", fleet_columns[i].key, fleet_columns[i].label, unit);
	}
}

/* -- why a run ended --------------------------------------------------------------------------- */

static void print_end_causes(void)
{
	printf("| `cause` | in a few words |\n|---|---|\n");
	for (int i = 0; i < END_CAUSE_COUNT; i++)
		printf("| `\"%s\"` | %s |\n", end_cause_word((enum end_cause)i),
		       end_cause_means((enum end_cause)i));
}

/* -- the options of rtrack-fleet --------------------------------------------------------------- */

static void print_fleet_options(void)
{
	struct buf text = {0};

	opts_help(fleet_options_table, 0, &text);
	printf("%s", buf_cstr(&text));
	buf_free(&text);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!*name)
		printf(
		    "rtrack_row\ncatalog_columns\nprocess_metrics\nsystem_metrics\nfleet_columns\nend_causes\n");
	else if (strcmp(name, "rtrack_row") == 0)
		print_row_keys();
	else if (strcmp(name, "catalog_columns") == 0)
		print_catalog_columns();
	else if (strcmp(name, "process_metrics") == 0)
		print_columns(METRIC_SCOPE_PROCESS);
	else if (strcmp(name, "system_metrics") == 0)
		print_columns(METRIC_SCOPE_SYSTEM);
	else if (strcmp(name, "fleet_columns") == 0)
		print_fleet_columns();
	else if (strcmp(name, "end_causes") == 0)
		print_end_causes();
	else if (strcmp(name, "fleet_options") == 0)
		print_fleet_options();
	for (size_t i = 0; i < schedulers_n; i++) {
		if (!*name && schedulers[i].labels[0].label)
			printf("%s\n", schedulers[i].name);
		else if (*name && strcmp(name, schedulers[i].name) == 0)
			print_labels(&schedulers[i]);
	}
	for (size_t i = 0; i < OBJECTS; i++) {
		if (!*name)
			printf("%s\n", objects[i].name);
		else if (strcmp(name, objects[i].name) == 0)
			print_object(objects[i].block);
	}
	return failed;
}
