/* gnu_time: what GNU's `time -v` writes. */
#include "fleet/import/gnu_time.h"

#include <math.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/recording/snapshot.h"
#include "fleet/import/import_row.h"

#define BLOCK_B     512 /* of getrusage(2)'s ru_inblock, on Linux */
#define SIGNALS     64
#define COMMAND     "Command being timed"
#define USER        "User time (seconds)"
#define TERMINATED  "Command terminated by signal "
#define EXIT_STATUS "Exit status"

/* -- values ------------------------------------------------------------------------------------ */

/* "1h 02m 03s" or "0m 16.70s", as BusyBox writes it. */
static int elapsed_with_units(const char *text, double *out)
{
	static const char units[] = "hms";
	static const double seconds[] = {3600, 60, 1};
	size_t last = 0, n;
	double part;

	*out = 0;
	while (*text) {
		const char *unit;
		n = strspn(text, "0123456789.");
		unit = text[n] ? strchr(units + last, text[n]) : NULL;
		if (!n || !unit || quantity_number(text, &part) != n ||
		    (*unit != 's' && memchr(text, '.', n)))
			return -1;
		*out += part * seconds[unit - units];
		last = (size_t)(unit - units) + 1;
		text += n + 1;
		text += *text == ' ';
	}
	return last == sizeof units - 1 && isfinite(*out) ? 0 : -1;
}

int gnu_time_elapsed(const char *text, double *out)
{
	double part;
	int parts = 0;
	size_t n;

	if (strchr(text, 'm'))
		return elapsed_with_units(text, out);
	*out = 0;
	for (;; text += n + 1) {
		n = strspn(text, "0123456789.");
		/* Only the last has decimals. */
		if (!n || (text[n] && memchr(text, '.', n)) || quantity_number(text, &part) != n)
			return -1;
		if (parts++ && part >= 60)
			return -1;
		*out = *out * 60 + part;
		if (!text[n])
			return parts == 2 || parts == 3 ? 0 : -1;
		if (text[n] != ':')
			return -1;
	}
}

/* The text between these words, at the beginning of a line after blanks, and `end`; NULL: another
 * line. */
static const char *rest_after(const char *line, const char *words, const char *end)
{
	size_t n = strlen(words);

	line += strspn(line, " \t");
	if (strncmp(line, words, n) != 0 || strncmp(line + n, end, strlen(end)) != 0)
		return NULL;
	return line + n + strlen(end);
}

static const struct {
	const char *words;
	enum rtrack_row_id id;
	import_row_reader *reader;
	double factor;
	bool add; /* to what the row has */
} fields[] = {
    {USER, RTRACK_ROW_CPU, import_row_number, 1, true},
    {"System time (seconds)", RTRACK_ROW_CPU, import_row_number, 1, true},
    {"Elapsed (wall clock) time (h:mm:ss or m:ss)", RTRACK_ROW_WALL, gnu_time_elapsed, 1, false},
    {"Maximum resident set size (kbytes)", RTRACK_ROW_MEMORY_PEAK, import_row_number, QUANTITY_KIB,
     false},
    {"File system inputs", RTRACK_ROW_READ, import_row_number, BLOCK_B, false},
    {"File system outputs", RTRACK_ROW_WRITTEN, import_row_number, BLOCK_B, false},
    {EXIT_STATUS, RTRACK_ROW_CODE, import_row_number, 1, false},
};

/* -- a block ----------------------------------------------------------------------------------- */

struct block {
	struct import *in;
	struct import_line line;
	struct import_row r;
	size_t n;      /* of blocks, from 1 */
	bool open;     /* the line with the command was read */
	int cpu_lines; /* that were read: two make the CPU time */
	double signal; /* of the block that comes next; NAN: none */
	double killed; /* of this one */
};

static void put_field(struct block *b, size_t i, const char *text)
{
	double *to = &b->r.row.of[fields[i].id].number, v;

	b->r.line = b->line.number;
	/* The last line of a file that was cut: "12" may have been "128". */
	if (!b->line.whole) {
		import_reader_unknown(b->in, b->line.number, fields[i].words, text);
		v = NAN;
	} else {
		v = import_row_value(&b->r, fields[i].words, text, fields[i].reader) *
		    fields[i].factor;
	}
	*to = fields[i].add && b->cpu_lines ? *to + v : v;
	b->cpu_lines += fields[i].add;
}

static int end_block(struct block *b, struct err *e)
{
	struct rtrack_row *row = &b->r.row;
	double *peak = &row->of[RTRACK_ROW_MEMORY_PEAK].number;
	char key[IMPORT_ROW_KEY], number[16];

	b->open = false;
	if (isnan(row->of[RTRACK_ROW_WALL].number)) {
		import_reader_left_out(b->in, b->line.number,
		                       "the lines about a command end too soon");
		return 0;
	}
	if (b->cpu_lines != 2)
		row->of[RTRACK_ROW_CPU].number = NAN;
	*peak = *peak > 0 ? import_reader_peak(b->in, b->line.number, *peak, NAN) : NAN;
	row->of[RTRACK_ROW_MEMORY_KNOWN].text = isnan(*peak) ? "" : SNAPSHOT_MEMORY_BOUND;
	row->of[RTRACK_ROW_CORES_MEAN].number =
	    row->of[RTRACK_ROW_CPU].number / row->of[RTRACK_ROW_WALL].number;
	if (row->of[RTRACK_ROW_WALL].number == 0)
		row->of[RTRACK_ROW_CORES_MEAN].number = NAN;
	if (b->killed >= 1 && b->killed <= SIGNALS) {
		snprintf(number, sizeof number, "%.0f", b->killed);
		import_row_text(&b->r, RTRACK_ROW_SIGNAL,
		                *snapshot_signal_name((int)b->killed)
		                    ? snapshot_signal_name((int)b->killed)
		                    : number,
		                sizeof number);
		row->of[RTRACK_ROW_CODE].number = NAN; /* it prints 0 */
		row->of[RTRACK_ROW_STATUS].text = "signaled";
	} else if (isfinite(row->of[RTRACK_ROW_CODE].number)) {
		row->of[RTRACK_ROW_STATUS].text = "exited";
	}
	snprintf(key, sizeof key, "%zu", b->n);
	return import_row_give(&b->r, key, false, e);
}

static void begin_block(struct block *b, const char *command)
{
	import_row_begin(&b->r, b->in, b->line.number);
	import_row_program(&b->r, command);
	b->in->lines++;
	b->n++;
	b->open = true;
	b->cpu_lines = 0;
	b->killed = b->signal;
	b->signal = NAN;
}

static int take_line(struct block *b, struct err *e)
{
	const char *text = rest_after(b->line.s, COMMAND, ": \"");

	if (text) {
		if (b->open && end_block(b, e))
			return -1;
		begin_block(b, text);
		return 0;
	}
	text = rest_after(b->line.s, TERMINATED, "");
	if (text && import_row_number(text, &b->signal))
		b->signal = NAN;
	for (size_t i = 0; b->open && i < sizeof fields / sizeof *fields; i++) {
		text = rest_after(b->line.s, fields[i].words, ": ");
		if (!text)
			continue;
		put_field(b, i, text);
		if (strcmp(fields[i].words, EXIT_STATUS) == 0)
			return end_block(b, e);
	}
	return 0;
}

/* -- the file ---------------------------------------------------------------------------------- */

/* The next line that begins with these words, after blanks; NULL: there is none before end. */
static const char *find_line(const char *text, const char *end, const char *words)
{
	size_t n = strlen(words);

	while (text < end) {
		const char *at = text, *next = memchr(text, '\n', (size_t)(end - text));
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if ((size_t)(end - at) >= n && memcmp(at, words, n) == 0)
			return at;
		text = next ? next + 1 : end;
	}
	return NULL;
}

/* A log that speaks of the words has no line with the user time below. */
bool gnu_time_recognise(const char *text, size_t n)
{
	const char *command = find_line(text, text + n, COMMAND ": \"");

	/* A command line may be longer than what is looked at. */
	return command && (find_line(command, text + n, USER ": ") ||
	                   !memchr(command, '\n', (size_t)(text + n - command)));
}

int gnu_time_read(struct import *in, struct err *e)
{
	struct block b = {.in = in, .signal = NAN, .killed = NAN};
	int failed = 0;

	while (!failed && import_reader_next_line(in, &b.line))
		failed = take_line(&b, e);
	if (!failed && b.open)
		failed = end_block(&b, e);
	import_reader_line_free(&b.line);
	return failed;
}
