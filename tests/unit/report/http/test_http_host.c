/* http_host: what counts as this machine. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "report/http/http_host.h"
#include "tests/unit/unit.h"

TEST(loopback)
{
	static const struct {
		const char *address;
		bool here;
	} cases[] = {
	    {"127.0.0.1", true},
	    {"127.255.255.254", true},
	    {"126.255.255.255", false},
	    {"128.0.0.1", false},
	    {"1.0.0.127", false},
	    {"0.0.0.0", false},
	    {"10.0.0.1", false},
	    {"169.254.169.254", false},
	    {"::1", true},
	    {"::", false},
	    {"::2", false},
	    {"fe80::1", false},
	    {"1::", false},
	    {"2001:db8::1", false},
	    {"::ffff:192.0.2.1", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sockaddr_in v4 = {.sin_family = AF_INET};
		struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
		bool here;

		if (inet_pton(AF_INET, cases[i].address, &v4.sin_addr) == 1)
			here = http_is_loopback((struct sockaddr *)&v4);
		else {
			assert_int_equal(inet_pton(AF_INET6, cases[i].address, &v6.sin6_addr), 1);
			here = http_is_loopback((struct sockaddr *)&v6);
		}
		if (here != cases[i].here)
			fail_msg("%s", cases[i].address);
	}
}

TEST(of_another_family)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/x"};

	assert_false(http_is_loopback((struct sockaddr *)&local));
}

TEST(hosts)
{
	static const struct {
		const char *url, *host;
	} cases[] = {
	    {"https://example.com/a?b", "example.com"},
	    {"https://example.com:8443/", "example.com:8443"},
	    {"https://me:secret@example.com/", "example.com"},
	    {"https://127.0.0.1@example.com/", "example.com"},
	    {"https://[::1]:80/", "[::1]:80"},
	    {"https://me:secret@example.com:bad/", "the address"},
	    {"secret", "the address"},
	    {"", "the address"},
	};
	char out[HTTP_HOST_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		http_host(cases[i].url, out);
		assert_string_equal(out, cases[i].host);
	}
}
