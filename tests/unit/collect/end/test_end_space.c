/* Tests of collect/end/end_space.c: when a file system is full. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/end/end_space.h"
#include "core/end/end_cause.h"
#include "tests/unit/unit.h"

TEST(full)
{
	static const struct {
		struct statvfs v;
		bool root, full;
	} cases[] = {
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 500, .f_bavail = 500}, false, false},
	    /* Less than 1 MiB, but more than 1 % */
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 255, .f_bavail = 255}, false, false},
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 9, .f_bavail = 9}, false, true},
	    {{.f_frsize = 4096, .f_blocks = 100000, .f_bfree = 255, .f_bavail = 255}, false, true},
	    {{.f_frsize = 4096, .f_blocks = 100000, .f_bfree = 256, .f_bavail = 256}, false, false},
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 500}, false, true},
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_bfree = 500}, true, false},
	    {{.f_frsize = 4096, .f_blocks = 9000, .f_bfree = 9000, .f_bavail = 9000, .f_files = 10},
	     true,
	     true},
	    {{.f_frsize = 4096,
	      .f_blocks = 9000,
	      .f_bfree = 9000,
	      .f_bavail = 9000,
	      .f_files = 10,
	      .f_ffree = 1,
	      .f_favail = 0},
	     false,
	     true},
	    /* Read-only, as squashfs, and without a size, as /proc. */
	    {{.f_frsize = 4096, .f_blocks = 1000, .f_flag = ST_RDONLY}, false, false},
	    {{.f_frsize = 4096}, false, false},
	};
	double bytes, inodes;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool is = end_space_is_full(&cases[i].v, cases[i].root, &bytes, &inodes);
		if (is != cases[i].full)
			print_error("case %zu\n", i);
		assert_int_equal(is, cases[i].full);
		assert_int_equal(isnan(inodes), cases[i].v.f_files == 0);
	}
}

/* What only root may use is not left; others may write meanwhile. */
TEST(room_as_df_says_it)
{
	struct snapshot_evidence e = end_cause_none();
	struct snapshot s = {.job.cwd = "", .end.evidence = &e};
	struct end_space begin = {0};
	struct statvfs v;

	setenv("TMPDIR", ".", 1);
	end_space_fill(&begin, "./a.gz", &s);
	assert_int_equal(statvfs(".", &v), 0);
	assert_true(fabs(e.disk_left_b - (double)v.f_bavail * (double)v.f_frsize) < 1e9);
}

TEST(folders_that_are_not_there)
{
	struct snapshot_evidence e = end_cause_none();
	struct snapshot s = {.job.cwd = "", .end.evidence = &e};
	struct end_space begin = {.full = {true, true, true, true}};

	setenv("TMPDIR", "/no/such/folder", 1);
	end_space_begin(&begin, "/no/such/file.gz");
	assert_false(begin.full[1] || begin.full[2]);
	end_space_fill(&begin, "/no/such/file.gz", &s);
	end_space_fill(&begin, "file.gz", &s);
	end_space_fill(&begin, "/file.gz", &s);
	unsetenv("TMPDIR");
	assert_true(e.n_full <= SNAPSHOT_END_DISKS);
	snapshot_free(&s);
}
