/* http_host: what counts as this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "report/http/http_host.h"

static void loopback(void **state)
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

	(void)state;
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

static void of_another_family(void **state)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/x"};

	(void)state;
	assert_false(http_is_loopback((struct sockaddr *)&local));
}

static void hosts(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		http_host(cases[i].url, out);
		assert_string_equal(out, cases[i].host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(loopback),
	    cmocka_unit_test(of_another_family),
	    cmocka_unit_test(hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
