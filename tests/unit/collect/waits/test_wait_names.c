/* Tests of collect/waits/wait_names.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collect/waits/wait_names.h"
#include "core/recording/snapshot_fields.h"
#include "tests/unit/unit.h"

#define HEAD                                                                                       \
	"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  "      \
	"timeout inode\n"
#define LINE(addresses, inode)                                                                     \
	"   0: " addresses " 0A 00000000:00000000 00:00000000 00000000     0        0 " inode      \
	" 1 00000000fff9e9b5 100 0 0 10 0\n"

/* Addresses are in the order of a little-endian machine, as all that this is tested on. */
TEST(sockets)
{
	static const struct {
		const char *text;
		uint64_t inode;
		bool found;
		unsigned port;
		const char *peer;
	} cases[] = {
	    {HEAD LINE("0100007F:A139 00000000:0000", "13890068"), 13890068, true, 41273, ""},
	    {HEAD LINE("0A00020F:A139 0500000A:01BB", "7"), 7, true, 41273, "10.0.0.5:443"},
	    {LINE("0A00020F:A139 0500000A:01BB", "8") LINE("0A00020F:1F90 0500000A:01BC", "7"), 7,
	     true, 8080, "10.0.0.5:444"},
	    {LINE("00000000000000000000000001000000:1F90 B80D0120000000000000000001000000:01BB",
	          "7"),
	     7, true, 8080, "[2001:db8:0:0:0:0:0:1]:443"},
	    {LINE("0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000500000A:0016",
	          "7"),
	     7, true, 8080, "10.0.0.5:22"},
	    {HEAD LINE("0A00020F:A139 0500000A:01BB", "7"), 70, false, 0, ""},
	    {LINE("0A00020F:A139 0500000A", "7"), 7, false, 0, ""},
	    {LINE("0A00020F:A139 05000:01BB", "7"), 7, false, 0, ""},
	    {"", 7, false, 0, ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char peer[WAIT_NAMES_PEER] = "";
		unsigned port = 0;
		assert_int_equal(wait_names_parse_inet(cases[i].text, strlen(cases[i].text),
		                                       cases[i].inode, &port, peer),
		                 cases[i].found);
		assert_int_equal(port, cases[i].port);
		assert_string_equal(peer, cases[i].peer);
	}
}

TEST(mounts)
{
	static const char text[] =
	    "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
	    "30 27 0:40 / /data rw,relatime shared:1 master:2 - nfs4 server:/x rw\n"
	    "31 27 0:41 / /home rw - fuse.sshfs a rw\n"
	    "32 27 8:1 / / rw - ext4 /dev/sda1 rw\n"
	    "33 27 0:42 / /cut rw\n";
	bool remote = false;

	assert_true(wait_names_parse_mount(text, strlen(text), 22, &remote) && !remote);
	assert_true(wait_names_parse_mount(text, strlen(text), 30, &remote) && remote);
	assert_true(wait_names_parse_mount(text, strlen(text), 31, &remote) && remote);
	assert_true(wait_names_parse_mount(text, strlen(text), 32, &remote) && !remote);
	assert_true(wait_names_parse_mount(text, strlen(text), 33, &remote) && !remote);
	assert_false(wait_names_parse_mount(text, strlen(text), 3, &remote));
	assert_false(wait_names_parse_mount("", 0, 3, &remote));
}

static void writes_of_process(struct wait_names *n, const struct wait_names_top *top,
                              struct json_write *j)
{
	struct snapshot_wait of[WAIT_NAMES_TOP];
	size_t found = wait_names_largest(n, top, of);

	if (found)
		json_write_array(j, snapshot_fields_key(SNAPSHOT_WAIT));
	for (size_t i = 0; i < found; i++)
		snapshot_fields_element(j, SNAPSHOT_WAIT, &of[i]);
	if (found)
		json_write_array_end(j);
}

static void writes(struct wait_names *n, const struct wait_names_top *top, const char *want)
{
	struct json_write j = {.depth = 0};

	json_write_object(&j, NULL);
	if (top)
		writes_of_process(n, top, &j);
	else
		wait_names_write(n, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_string_equal(buf_cstr(&j.b), want);
	json_write_free(&j);
}

/* Without names nothing is written of a process, and an empty list of the run. */
TEST(nothing)
{
	struct wait_names_top top = {{0}, {0}};
	struct wait_names *n = wait_names_open();
	struct wait_look look = {.state = STATES_NET, .fd = -1};
	struct wait_names_asks asks = {.pid = 1};

	assert_non_null(n);
	assert_int_equal(wait_names_find(n, &asks, &look, 1), -1);
	wait_names_add(n, -1, STATES_NET, 5, &top);
	writes(n, NULL, "{\"waits\":[]}");
	writes(n, &top, "{}");
	wait_names_close(n);
	wait_names_close(NULL);
}
