/* Asks metadata services as the collector does, and prints what came of it: ROOT BASE WAIT_MS. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "collect/cloud/discover_cloud.h"
#include "collect/machine/clocks.h"
#include "core/json/json_write.h"

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void print(const struct snapshot *s, double start_s, double end_s, bool quiet)
{
	struct json_write j = {.depth = 0};

	json_write_object(&j, NULL);
	json_write_str(&j, "vendor", s->cloud.vendor);
	json_write_str(&j, "type", s->cloud.instance_type);
	json_write_str(&j, "region", s->cloud.region);
	json_write_str(&j, "zone", s->machine.zone);
	json_write_str(&j, "account", s->machine.account);
	json_write_bool(&j, "known", s->cloud.known);
	json_write_num(&j, "discovery", s->cloud.discovery_time);
	json_write_num(&j, "start", start_s);
	json_write_num(&j, "end", end_s);
	json_write_bool(&j, "quiet", quiet);
	json_write_array(&j, "notes");
	for (size_t i = 0; i < s->notes.n; i++)
		json_write_str(&j, NULL, s->notes.v[i]);
	json_write_array_end(&j);
	json_write_object_end(&j);
	if (json_write_finish(&j))
		puts(buf_cstr(&j.b));
	json_write_free(&j);
}

int main(int argc, char **argv)
{
	struct discover_cloud d;
	struct snapshot s = {.exit = {0}};
	struct root r;
	struct err e = {.msg = ""};
	struct pollfd fd = {.events = POLLIN};
	double before, started, ended;
	bool quiet;

	if (argc != 4 || root_open(&r, argv[1], &e) || discover_cloud_open(&d, argv[2], &e)) {
		fprintf(stderr, "%s\n", e.msg);
		return 1;
	}
	before = now_s();
	discover_cloud_start(&d, &r);
	started = now_s();
	/* Nobody who waits for children hears of it. */
	quiet = waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
	fd.fd = background_fd(&d.process);
	if (fd.fd >= 0 && poll(&fd, 1, (int)strtol(argv[3], NULL, 10)) == 1)
		discover_cloud_collect(&d);
	ended = now_s();
	discover_cloud_finish(&d, clocks_now(CLOCK_MONOTONIC) + 40 * INT64_C(1000000), &s);
	print(&s, started - before, now_s() - ended, quiet);
	snapshot_free(&s);
	root_close(&r);
	return 0;
}
