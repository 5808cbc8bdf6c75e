/* http_handle: which authorities count, which files can be read; the end of headers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/http/http_handle.h"
#include "tests/unit/unit.h"

#define MISSING "/nonexistent/rtrack.pem"

static int no_variables(void **state)
{
	(void)state;
	return unsetenv("CURL_CA_BUNDLE") || unsetenv("SSL_CERT_FILE") || unsetenv("SSL_CERT_DIR");
}

TEST_WITH(of_libcurl_if_it_is_there, no_variables, NULL)
{
	assert_string_equal(http_handle_ca_found("/dev/null"), "/dev/null");
}

/* Elsewhere, or a name that makes libcurl say what is missing: never none at all. */
TEST_WITH(of_the_machine, no_variables, NULL)
{
	const char *file = http_handle_ca_found(MISSING);

	assert_int_equal(*file, '/');
	assert_string_not_equal(file, MISSING);
	assert_string_equal(http_handle_ca_found(NULL), file);
}

TEST_WITH(of_the_user, no_variables, NULL)
{
	const char *file = "", *folder = "";

	assert_null(http_handle_ca_named(&file, &folder));
	assert_null(file);
	assert_null(folder);
	setenv("SSL_CERT_FILE", "/a", 1);
	assert_string_equal(http_handle_ca_named(&file, &folder), "SSL_CERT_FILE");
	assert_string_equal(file, "/a");
	assert_null(folder);
	setenv("CURL_CA_BUNDLE", "/b", 1);
	assert_string_equal(http_handle_ca_named(&file, &folder), "CURL_CA_BUNDLE");
	assert_string_equal(file, "/b");
	setenv("CURL_CA_BUNDLE", "", 1);
	assert_string_equal(http_handle_ca_named(&file, &folder), "SSL_CERT_FILE");
	assert_string_equal(file, "/a");
}

TEST_WITH(folder_of_the_user, no_variables, NULL)
{
	const char *file, *folder;

	setenv("SSL_CERT_DIR", "", 1);
	assert_null(http_handle_ca_named(&file, &folder));
	setenv("SSL_CERT_DIR", "/c", 1);
	assert_string_equal(http_handle_ca_named(&file, &folder), "SSL_CERT_DIR");
	assert_null(file);
	assert_string_equal(folder, "/c");
}

/* A trailer after the body is not a header that broke off. */
TEST(end_of_headers)
{
	static const struct {
		const char *line;
		bool headed;
	} cases[] = {
	    {"HTTP/1.1 100 Continue\r\n", false},
	    {"\r\n", true},
	    {"HTTP/1.1 200 OK\r\n", false},
	    {"ETag: x\r\n", false},
	    {"\n", true},
	    {"x-trailer: 1\r\n", true},
	};
	bool headed = false;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		headed = http_handle_headed(headed, cases[i].line, strlen(cases[i].line));
		assert_int_equal(headed, cases[i].headed);
	}
}

TEST(versions_that_sign)
{
	assert_false(http_handle_signs(0x074b00));
	assert_false(http_handle_signs(0x0756ff));
	assert_true(http_handle_signs(0x075700));
	assert_true(http_handle_signs(0x080000));
}
