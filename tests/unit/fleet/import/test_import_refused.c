/* import_refused: what looks like a known file, and is not, with the command that writes it right. */
#include "fleet/import/import.h"

#include "tests/unit/fleet/import/imported.h"

TEST(sentences)
{
	static const struct {
		const char *text, *says; /* NULL: nothing */
	} cases[] = {
	    {"       JobID    JobName      State \n------------ ---------- ---------- \n1 a COMPLETED\n",
	     "sacct -P"},
	    {"JobID|State\n", NULL}, /* which is read */
	    {"1|align|COMPLETED|0:0\n1.batch|batch|COMPLETED|0:0\n", "without -n"},
	    {"12_3|align|CANCELLED by 1000|0:0\n", "without -n"},
	    {"2026-11-01|a job|COMPLETED\n", NULL},
	    {"1|2|3\n", NULL},
	    {"JobID,JobName,State\n1,a,COMPLETED\n", "without --delimiter"},
	    {"JobID;State\n", "without --delimiter"},
	    {"the JobID is 12\n", NULL},
	    {"####\n# Job ID:   131042\n# State:   COMPLETED (exit code 0)\n", "seff JOBID"},
	    {"{\"s\": 12.3, \"h:m:s\": \"0:00:12\", \"max_rss\": 101.5}\n", ".tsv"},
	    {"2026-11-23T10:00:00.123Z \tCommand being timed: \"a\"\n", "sed"},
	    {"[10:00:00] Command being timed: \"a\"\n", "sed"},
	    {"2026-11-23 10:00:00 \tCommand being timed: \"a\"\n", "sed 's/.*\\t/\\t/'"},
	    {"job\tstep\t2026-11-23T10:00:00.1Z \tCommand being timed: \"a\"\n",
	     "sed 's/.*\\t/\\t/'"},
	    {"2026-11-23T10:00:00Z Command being timed: \"a\"\n", "sed 's/^[^ ]* *//'"},
	    {"2026-11-23 10:00:00 Command being timed: \"a\"\n", "sed -E 's/^([^ ]+ +){2}//'"},
	    {"JobID JobName State ExitCode\n1 a COMPLETED 0:0\n", "sacct -P"},
	    {"131042       align  p  lab  1  COMPLETED      0:0 \n", "sacct -P"},
	    {"a note about JobID | State\n", NULL},
	    {"1 test was COMPLETED\n", NULL},
	    {"1,align,COMPLETED,0:0\n", "without -n"},
	    {"1,align,COMPLETED,12\n", NULL},
	    {"s,h:m:s,max_rss\n1,0:00:01,2\n", "sep=\"\\t\""},
	    {"s h:m:s max_rss\n1 0:00:01 2\n", "sep=\"\\t\""},
	    {"task_id,hash,name\n1,ab/cd,X\n", "trace.sep"},
	    {"{\"rule_name\": \"a\", \"h:m:s\": \"0:00:12\", \"max_rss\": 101.5}\n", ".tsv"},
	    {"====\n     Slurm Job Statistics\n====\n         Job ID: 39861500\n", "AdminComment"},
	    {"it says Command being timed: \"a\"\n", NULL},
	    {"", NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = cases[i].text, *why = import_refused(text, strlen(text));
		struct imported in;
		if (!cases[i].says) {
			if (why)
				fail_msg("%s: %s", text, why);
			continue;
		}
		if (!why || !strstr(why, cases[i].says))
			fail_msg("%s: %s", text, why ? why : "nothing");
		imported_text(&in, "f", text);
		assert_int_equal(in.kind, IMPORT_REFUSED);
		assert_int_equal(in.failed, -1);
		assert_non_null(strstr(in.e.msg, cases[i].says));
		imported_free(&in);
	}
}
