/* run_row: the rtrack_row of a run that was read. */
#include "report/runs/run_row.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/head/time_at_file.h"
#include "core/head/time_at_rows.h"

static void start_of(const struct run *run, struct snapshot *s)
{
	if (isnan(s->meta.start_time))
		s->meta.start_time = run->start;
}

void run_row_id(const struct run *run, char id[RTRACK_ROW_ID_SIZE])
{
	struct snapshot s = run->snapshot;

	start_of(run, &s);
	rtrack_row_id(&s, id);
}

void run_row_fill(struct rtrack_row *row, const struct run *run)
{
	struct snapshot s = run->snapshot;
	struct stats stats[METRIC_COUNT];
	struct time_at time_at = {0}, packed;

	s.time_at = load_time_at(run, &packed);
	if (!s.time_at && !run->parts) {
		time_at_rows_add(&s, load_all_stats(run, stats), 1, &time_at);
		time_at_file_round(&time_at);
	}
	if (time_at_known(&time_at))
		s.time_at = &time_at;
	load_stats_of_head(run, stats);
	start_of(run, &s);
	if (s.unfinished && !(s.exit.cause && *s.exit.cause))
		s.exit.cause = "unfinished"; /* as --recover has it */
	rtrack_row_fill(row, &s, stats, run->samples);
	row->of[RTRACK_ROW_START].number = run->start;
	row->of[RTRACK_ROW_WALL].number = run->duration;
}

void run_row_write(const struct run *run, struct json_write *j)
{
	struct rtrack_row *row = alloc_failed_note(malloc(sizeof *row));

	if (!row)
		return;
	run_row_fill(row, run);
	rtrack_row_write(row, j);
	free(row);
}
