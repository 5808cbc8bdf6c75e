/* http_ca: whose word counts, and which files can be read. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/http/http_ca.h"
#include "tests/unit/unit.h"

#define MISSING "/nonexistent/rtrack.pem"

static int no_variables(void **state)
{
	(void)state;
	return unsetenv("CURL_CA_BUNDLE") || unsetenv("SSL_CERT_FILE") || unsetenv("SSL_CERT_DIR");
}

TEST_WITH(first_that_can_be_read, no_variables, NULL)
{
	static const char *const files[] = {NULL, MISSING, "/dev/null", "/dev/zero"};

	assert_string_equal(http_ca_first(files, 4), "/dev/null");
	assert_null(http_ca_first(files, 2));
	assert_null(http_ca_first(files, 0));
}

TEST_WITH(of_libcurl_if_it_is_there, no_variables, NULL)
{
	assert_string_equal(http_ca_found("/dev/null"), "/dev/null");
}

/* Elsewhere, or a name that makes libcurl say what is missing: never none at all. */
TEST_WITH(of_the_machine, no_variables, NULL)
{
	const char *file = http_ca_found(MISSING);

	assert_int_equal(*file, '/');
	assert_string_not_equal(file, MISSING);
	assert_string_equal(http_ca_found(NULL), file);
}

TEST_WITH(of_the_user, no_variables, NULL)
{
	const char *file = "", *folder = "";

	assert_null(http_ca_named(&file, &folder));
	assert_null(file);
	assert_null(folder);
	setenv("SSL_CERT_FILE", "/a", 1);
	assert_string_equal(http_ca_named(&file, &folder), "SSL_CERT_FILE");
	assert_string_equal(file, "/a");
	assert_null(folder);
	setenv("CURL_CA_BUNDLE", "/b", 1);
	assert_string_equal(http_ca_named(&file, &folder), "CURL_CA_BUNDLE");
	assert_string_equal(file, "/b");
	setenv("CURL_CA_BUNDLE", "", 1);
	assert_string_equal(http_ca_named(&file, &folder), "SSL_CERT_FILE");
	assert_string_equal(file, "/a");
}

TEST_WITH(folder_of_the_user, no_variables, NULL)
{
	const char *file, *folder;

	setenv("SSL_CERT_DIR", "", 1);
	assert_null(http_ca_named(&file, &folder));
	setenv("SSL_CERT_DIR", "/c", 1);
	assert_string_equal(http_ca_named(&file, &folder), "SSL_CERT_DIR");
	assert_null(file);
	assert_string_equal(folder, "/c");
}
