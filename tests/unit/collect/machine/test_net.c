/* Tests of collect/machine/net.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/net.h"
#include "collect/procfs/root.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static struct net *net;

static int setup(void **state)
{
	(void)state;
	net = calloc(1, sizeof *net);
	return net ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(net);
	return 0;
}

static int update(const char *text)
{
	return net_update(net, text, strlen(text), NULL, NULL);
}

TEST_WITH(one_line, setup, teardown)
{
	static const struct {
		const char *text, *name;
		uint64_t recv, sent;
	} rows[] = {
	    {"  eth0: 10 1 2 3 4 5 6 7 20 1 0 0 0 0 0 0", "eth0", 10, 20},
	    {"eth0:10 1 2 3 4 5 6 7 20 1 0", "eth0", 10, 20},
	    {" a:b:c: 5 1 1 1 1 1 1 1 6 1", "a:b:c", 5, 6},
	    {" face |bytes    packets errs|bytes", NULL, 0, 0},
	    {"Inter-|   Receive", NULL, 0, 0},
	    {": 1 1 1 1 1 1 1 1 1", NULL, 0, 0},
	    {"eth0: 1 2 3 4 5 6 7 8", NULL, 0, 0},
	    {"eth0: -1 2 3 4 5 6 7 8 9", NULL, 0, 0},
	    {"an-interface-name-that-the-kernel-could-not-have: 1 1 1 1 1 1 1 1 1", NULL, 0, 0},
	    {"", NULL, 0, 0},
	};
	struct net_line l;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int rc = net_parse_line(rows[i].text, strlen(rows[i].text), &l);

		assert_int_equal(rc, rows[i].name ? 0 : -1);
		if (rc < 0)
			continue;
		assert_string_equal(l.name, rows[i].name);
		assert_int_equal(l.recv_b, rows[i].recv);
		assert_int_equal(l.sent_b, rows[i].sent);
	}
}

TEST_WITH(sums, setup, teardown)
{
	assert_int_equal(update("lo: 5 1 1 1 1 1 1 1 5\neth0: 100 1 1 1 1 1 1 1 200\n"), 0);
	assert_true(net->recv_b == 0 && net->sent_b == 0);
	update("lo: 9 1 1 1 1 1 1 1 9\neth0: 110 1 1 1 1 1 1 1 201\n");
	assert_true(net->recv_b == 10 && net->sent_b == 1);
	/* One comes with a past, and the other is gone. */
	update("lo: 9 1 1 1 1 1 1 1 9\nveth1: 5000 1 1 1 1 1 1 1 5000\n");
	assert_true(net->recv_b == 10 && net->sent_b == 1);
	assert_int_equal(net->n, 1);
	update("lo: 9 1 1 1 1 1 1 1 9\neth0: 7 1 1 1 1 1 1 1 7\nveth1: 5001 1 1 1 1 1 1 1 5000\n");
	assert_true(net->recv_b == 11 && net->sent_b == 1);
	/* Reset in place: what passed is unknown. */
	update("lo: 9 1 1 1 1 1 1 1 9\neth0: 3 1 1 1 1 1 1 1 7\nveth1: 5001 1 1 1 1 1 1 1 5000\n");
	assert_true(net->recv_b == 11 && net->sent_b == 1);
	assert_int_equal(update(""), -1);
	assert_int_equal(net->n, 2);
	/* Only lo: nothing else, but no failure. */
	assert_int_equal(update("lo: 9 1 1 1 1 1 1 1 9\n"), 0);
	assert_int_equal(net->n, 0);
	assert_true(net->recv_b == 11 && net->sent_b == 1);
}

/* Drivers that show 0 at times, or fall a little; and resets. */
TEST_WITH(counters_that_fall, setup, teardown)
{
	static const struct {
		const char *reads[6];
		double recv_b;
	} rows[] = {
	    {{"182018452734", "0", "182018453734"}, 1000},
	    {{"182018452734", "0", "0", "182018453734", "182018453735"}, 1001},
	    {{"182018452734", "182018452700", "182018452734", "182018452744"}, 10},
	    {{"1000", "0", "30", "50"}, 50},
	    {{"1000", "900", "950", "2000"}, 1100},
	    {{"1000", "500", "400", "1200"}, 200},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		memset(net, 0, sizeof *net);
		for (size_t k = 0; k < 6 && rows[i].reads[k]; k++) {
			char text[128];

			snprintf(text, sizeof text, "eth0: %s 1 1 1 1 1 1 1 7\n", rows[i].reads[k]);
			update(text);
		}
		assert_true(net->recv_b == rows[i].recv_b && net->sent_b == 0);
	}
}

static enum net_behind by_letter(const void *ctx, const char *name)
{
	(void)ctx;
	return *name == 'd'   ? NET_DEVICE
	       : *name == 'v' ? NET_VIRTUAL
	       : *name == 'r' ? NET_REPEATED
	                      : NET_UNKNOWN;
}

/* A bond of two devices, a bridge, and a function below a device count the same bytes again. */
TEST_WITH(what_is_behind, setup, teardown)
{
	static const char *const texts[] = {
	    "d0: 0 1 1 1 1 1 1 1 0\nv0: 0 1 1 1 1 1 1 1 0\nr0: 0 1 1 1 1 1 1 1 0\n"
	    "u0: 0 1 1 1 1 1 1 1 0\n",
	    "d0: 1 1 1 1 1 1 1 1 1\nv0: 10 1 1 1 1 1 1 1 10\nr0: 100 1 1 1 1 1 1 1 100\n"
	    "u0: 1000 1 1 1 1 1 1 1 1000\n",
	    /* The device is gone: what is left counts. */
	    "v0: 30 1 1 1 1 1 1 1 20\nr0: 200 1 1 1 1 1 1 1 200\n"};
	static const double recv_b[] = {0, 1001, 1021};

	for (size_t i = 0; i < 3; i++) {
		net_update(net, texts[i], strlen(texts[i]), by_letter, NULL);
		assert_true(net->recv_b == recv_b[i]);
	}
	assert_true(net->sent_b == 1011);
}

TEST(asks_sysfs)
{
	static const struct {
		const char *name;
		enum net_behind behind;
	} rows[] = {
	    {"eno1", NET_DEVICE},       {"eno2", NET_DEVICE},          {"bond0", NET_VIRTUAL},
	    {"docker0", NET_VIRTUAL},   {"eno1:7", NET_UNKNOWN},       {"eth0", NET_DEVICE},
	    {"enP1p0s2", NET_REPEATED}, {"../net/bond0", NET_UNKNOWN}, {"..", NET_UNKNOWN}};
	struct root r = captured_root("cpus-64");

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(net_judge_sysfs(&r, rows[i].name), rows[i].behind);
	root_close(&r);
}

/* Of --once: what they have had. */
TEST_WITH(since_boot, setup, teardown)
{
	net->since_boot = true;
	update("lo: 5 1 1 1 1 1 1 1 5\neth0: 100 1 1 1 1 1 1 1 200\n");
	assert_true(net->recv_b == 100 && net->sent_b == 200);
	update("lo: 5 1 1 1 1 1 1 1 5\neth0: 110 1 1 1 1 1 1 1 200\n");
	assert_true(net->recv_b == 110 && net->sent_b == 200);
}

TEST_WITH(machines, setup, teardown)
{
	static const struct {
		const char *machine;
		size_t interfaces;
	} rows[] = {{"idle-vm", 3}, {"cpus-64", 6}, {"container", 1}, {"hostile", 3}};
	static char text[65536];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct root r = captured_root(rows[i].machine);
		long n;

		n = root_read(&r, "proc/net/dev", text, sizeof text);
		assert_true(n > 0);
		memset(net, 0, sizeof *net);
		assert_int_equal(net_update(net, text, (size_t)n, net_judge_sysfs, &r), 0);
		assert_int_equal(net->n, rows[i].interfaces);
		root_close(&r);
	}
}

TEST_WITH(many, setup, teardown)
{
	size_t room = 64 * (NET_MAX + 100), at = 0;
	char *text = malloc(room);

	assert_non_null(text);
	for (int i = 0; i < NET_MAX + 100; i++)
		at += (size_t)snprintf(text + at, room - at, "veth%d: 1 0 0 0 0 0 0 0 1\n", i);
	assert_int_equal(update(text), 0);
	assert_int_equal(update(text), 0);
	assert_int_equal(net->n, NET_MAX);
	free(text);
}
