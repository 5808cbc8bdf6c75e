/* Tests of collect/machine/host_address.c. The tables are of little-endian machines. */
#include <string.h>

#include "collect/machine/host_address.h"
#include "tests/unit/unit.h"

#define ROUTE_HEAD "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\n"
#define DEFAULT    "eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
#define ETH0       "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
#define DOCKER     "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
#define LEAF(a)    "           |-- " a "\n              /32 host LOCAL\n"
#define LOOPBACK   LEAF("127.0.0.1") "              /8 host LOCAL\n"
#define OTHERS                                                                                     \
	"Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n"            \
	"        |-- 192.0.2.255\n           /32 link BROADCAST\n"

static struct host_address_text of(const char *text)
{
	return (struct host_address_text){text, strlen(text)};
}

TEST(v4)
{
	static const struct {
		const char *route, *trie, *address;
	} rows[] = {
	    {ROUTE_HEAD DEFAULT ETH0, OTHERS LOOPBACK LEAF("192.0.2.2"), "192.0.2.2"},
	    /* The containers' bridge comes first, and is another network. */
	    {ROUTE_HEAD DEFAULT ETH0 DOCKER, OTHERS LEAF("172.17.0.1") LEAF("192.0.2.7"),
	     "192.0.2.7"},
	    /* A /32 at the end of a link: its gateway is reached by a route of its own. */
	    {ROUTE_HEAD DEFAULT DOCKER
	     "eth0\t010200C0\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0\n",
	     OTHERS LEAF("172.17.0.1") LEAF("10.128.0.9") LEAF("10.128.0.9"), "10.128.0.9"},
	    /* Several that it may be. */
	    {ROUTE_HEAD DEFAULT, LEAF("10.0.0.1") LEAF("10.0.0.2"), ""},
	    {ROUTE_HEAD DEFAULT ETH0, OTHERS LOOPBACK, ""},
	    /* The lower metric counts. */
	    {ROUTE_HEAD
	     "wlan0\t00000000\t010011AC\t0003\t0\t0\t600\t00000000\t0\t0\t0\n" DEFAULT ETH0
	     "wlan0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n",
	     LEAF("172.17.3.4") LEAF("192.0.2.2"), "192.0.2.2"},
	    /* No way out: no default route, or one that is down, or that rejects. */
	    {ROUTE_HEAD ETH0, LEAF("192.0.2.2"), ""},
	    {ROUTE_HEAD "eth0\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0\n" ETH0,
	     LEAF("192.0.2.2"), ""},
	    {ROUTE_HEAD "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n" ETH0,
	     LEAF("192.0.2.2"), ""},
	    {"", "", ""},
	    {"eth0", "|-- ", ""},
	    {ROUTE_HEAD DEFAULT ETH0, LEAF("192.0.2") LEAF("192.0.2.2.2") LEAF("x"), ""},
	};
	char out[HOST_ADDRESS_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool found = host_address_v4(of(rows[i].route), of(rows[i].trie), out);
		assert_string_equal(out, rows[i].address);
		assert_int_equal(found, *rows[i].address != '\0');
	}
}

#define NO           "00000000000000000000000000000000"
#define V6_DEFAULT   NO " 00 " NO " 00 fd000000000000000000000000000001 00000400 3 0 00000003 eth0\n"
#define V6_REJECT    NO " 00 " NO " 00 " NO " ffffffff 00000001 00000000 00200200 lo\n"
#define V6_LINK      "fe8000000000000000fc00fffe000001 04 40 20 80 eth0\n"
#define V6_TEMPORARY "fd0000000000000000000000000000aa 04 40 00 01 eth0\n"
#define V6_GLOBAL    "fd000000000000000000000000000002 04 40 00 82 eth0\n"
#define V6_OTHER     "fd0000000000000000000000000000bb 05 40 00 80 eth1\n"

TEST(v6)
{
	static const struct {
		const char *route, *addresses, *address;
	} rows[] = {
	    {V6_REJECT V6_DEFAULT, V6_LINK V6_OTHER V6_TEMPORARY V6_GLOBAL, "fd00::2"},
	    {V6_REJECT, V6_GLOBAL, ""},
	    {V6_DEFAULT, V6_LINK V6_OTHER V6_TEMPORARY, ""},
	    {"", "", ""},
	    {V6_DEFAULT, "fd0000000000000000000000000000 04 40 00 82 eth0\n", ""},
	    {V6_DEFAULT, "zz000000000000000000000000000002 04 40 00 82 eth0\n", ""},
	};
	char out[HOST_ADDRESS_SIZE];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool found = host_address_v6(of(rows[i].route), of(rows[i].addresses), out);
		assert_string_equal(out, rows[i].address);
		assert_int_equal(found, *rows[i].address != '\0');
	}
}
