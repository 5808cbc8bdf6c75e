/* remote_output: addresses of outputs in object stores, and the local names that go with them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/output/remote_output.h"
#include "tests/unit/unit.h"

#define DEFAULT "rtrack-n1-4711-20261121T065151Z.json.gz"

static struct remote_output r;
static struct snapshot_file file;

static int name(const char *output, bool letters, struct err *e)
{
	struct part part = part_none();
	const struct snapshot_file_values v = {
	    .host = "n1", .pid = 4711, .now = 1795243911, .part = &part, .name = "j"};

	r = (struct remote_output){.kind = remote_output_kind_of(output)};
	return remote_output_name(&r, output, letters ? &v : NULL, &file, e);
}

TEST(kinds)
{
	static const char *const files[] = {"",         "a.json.gz", "s3:/b/a", "S3://b/a",
	                                    "./s3://b", "http://h/", "https:/h"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		assert_int_equal(remote_output_kind_of(files[i]), REMOTE_OUTPUT_NONE);
	assert_int_equal(remote_output_kind_of("s3://b"), REMOTE_OUTPUT_S3);
	assert_int_equal(remote_output_kind_of("https://h/a?x"), REMOTE_OUTPUT_HTTPS);
}

TEST(addresses)
{
	static const struct {
		const char *output, *address, *local;
	} cases[] = {
	    {"s3://b/a.json.gz", "s3://b/a.json.gz", "a.json.gz"},
	    {"s3://b/x/%h-%p.json.gz", "s3://b/x/n1-4711.json.gz", "n1-4711.json.gz"},
	    {"s3://b/x/", "s3://b/x/" DEFAULT, DEFAULT},
	    {"s3://b/", "s3://b/" DEFAULT, DEFAULT},
	    {"s3://b", "s3://b/" DEFAULT, DEFAULT},
	    {"s3://b/100%%+é (1).json.gz", "s3://b/100%+é (1).json.gz", "100%+é (1).json.gz"},
	    {"s3://b/a/..", "s3://b/a/..", "rtrack.json.gz"},
	    {"https://h/a%20b.json.gz?sig=x/%h", "https://h/a%20b.json.gz?sig=x/%h",
	     "a%20b.json.gz"},
	    {"https://h/?sig=x", "https://h/?sig=x", "rtrack.json.gz"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {""};
		if (name(cases[i].output, true, &e))
			fail_msg("%s: %s", cases[i].output, e.msg);
		assert_string_equal(r.address, cases[i].address);
		assert_string_equal(file.path, cases[i].local);
		assert_true(file.keep);
	}
}

TEST(refused)
{
	static char long_key[1100] = "s3://b/";
	static const struct {
		const char *output, *why;
	} cases[] = {
	    {"s3://", "the name of a bucket is missing"},
	    {"s3:///a", "the name of a bucket is missing"},
	    {"s3://KEY:SECRET@b/a", "--output: s3://BUCKET/KEY: the name of a bucket"},
	    {"s3://a b/c", "the name of a bucket has only letters"},
	    {"s3://b/a\nb", "control characters"},
	    {"s3://b/%x", "% needs one of"},
	    {"s3://b/%j", "none of SLURM_JOB_ID"},
	    {long_key, "longer than 990 bytes"},
	    {"https://h/a b", "a blank"},
	};

	memset(long_key + 7, 'a', 1000);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {""};
		assert_int_equal(name(cases[i].output, true, &e), -1);
		if (!strstr(e.msg, cases[i].why) || strstr(e.msg, "SECRET"))
			fail_msg("%s: %s", cases[i].output, e.msg);
	}
}

/* Also before the letters after % are looked at: the query may be a secret. */
TEST(other_schemes_are_refused_without_the_address)
{
	static const char *const outputs[] = {"http://h/a?sig=SECRET%2F", "gs://b/a", "S3://b/a"};
	static const char *const files[] = {"a.json.gz", "./a://b", "://",        "a/b://c",
	                                    "a:b",       "s3://b",  "https://h/a"};
	struct err e = {""};

	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
		assert_int_equal(remote_output_check(outputs[i], &e), -1);
		assert_non_null(strstr(e.msg, "an output may be a file, s3:// or https://, not "));
		assert_null(strstr(e.msg, "SECRET"));
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		assert_int_equal(remote_output_check(files[i], &e), 0);
}

TEST(a_recording_to_recover)
{
	struct err e = {""};

	assert_int_equal(name("s3://b/100%/%h.json.gz", false, &e), 0);
	assert_string_equal(r.address, "s3://b/100%/%h.json.gz");
	assert_int_equal(name("s3://b/a/", false, &e), -1);
	assert_non_null(strstr(e.msg, "the key of the recording is needed"));
	assert_int_equal(name("s3://b", false, &e), -1);
}

TEST(a_long_name_is_cut_between_characters)
{
	char output[400] = "s3://b/";
	struct err e = {""};

	for (size_t i = 7; i < 307; i += 2)
		memcpy(output + i, "é", 2);
	output[7] = 'a';
	output[8] = 'a';
	output[307] = '\0';
	assert_int_equal(name(output, true, &e), 0);
	assert_int_equal(strlen(file.path), 200);
	memmove(output + 8, output + 7, 301);
	assert_int_equal(name(output, true, &e), 0);
	assert_int_equal(strlen(file.path), 199);
}

TEST(a_local_file_is_not_replaced)
{
	char folder[] = "/tmp/rtrack-remote-XXXXXX";
	struct err e = {""};

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	close(open("run.json.gz", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(name("s3://b/run.json.gz", true, &e), 0);
	assert_string_equal(file.path, "run.2.json.gz");
	assert_int_equal(symlink("nowhere", "run.2.json.gz"), 0);
	assert_int_equal(name("s3://b/run.json.gz", true, &e), 0);
	assert_string_equal(file.path, "run.3.json.gz");
	close(open("plain", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(name("s3://b/plain", true, &e), 0);
	assert_string_equal(file.path, "plain.2");
	assert_int_equal(unlink("run.json.gz") + unlink("run.2.json.gz") + unlink("plain"), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
}

TEST(words)
{
	static const struct {
		const char *output, *file, *command;
	} cases[] = {
	    {"s3://b/a.json.gz", "a.json.gz", "rtrack-report --put a.json.gz s3://b/a.json.gz"},
	    {"s3://b/it's 1", "it's 1", "rtrack-report --put 'it'\\''s 1' 's3://b/it'\\''s 1'"},
	    {"s3://b/$(x)`*", "/t p/a", "rtrack-report --put '/t p/a' 's3://b/$(x)`*'"},
	    {"s3://b/a", "/tmp/\033[2J\n'/a",
	     "rtrack-report --put $'/tmp/\\033[2J\\n\\'/a' s3://b/a"},
	    {"https://u:secret@h/a?sig=secret", "a",
	     "rtrack-report --put a ADDRESS (the one of --output)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		struct err e = {""};
		assert_int_equal(name(cases[i].output, true, &e), 0);
		remote_output_command(&r, cases[i].file, &b);
		assert_string_equal(buf_cstr(&b), cases[i].command);
		buf_clear(&b);
		remote_output_show(&r, &b);
		assert_null(strstr(buf_cstr(&b), "secret"));
		buf_clear(&b);
		remote_output_recover(&r, &b);
		if (r.kind == REMOTE_OUTPUT_S3)
			assert_string_equal(strrchr(cases[i].command, 's'),
			                    strrchr(buf_cstr(&b), 's'));
		buf_free(&b);
	}
}
