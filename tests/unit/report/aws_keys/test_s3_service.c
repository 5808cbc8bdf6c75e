/* s3_service: which URLs are asked for a secret. */
#include <string.h>

#include "report/aws_keys/s3_service.h"
#include "tests/unit/unit.h"

#define FULL "AWS_CONTAINER_CREDENTIALS_FULL_URI: "
#define ONLY                                                                                       \
	FULL "http:// is only allowed to this machine itself, 169.254.170.2, 169.254.170.23 and "  \
	     "[fd00:ec2::23]"

TEST(test_url)
{
	static const struct {
		const char *relative, *full, *url, *sentence;
	} cases[] = {
	    {"/v2/credentials/a-b?x=1", NULL, "http://169.254.170.2/v2/credentials/a-b?x=1", NULL},
	    {"/a", "https://h/b", "http://169.254.170.2/a", NULL},
	    {NULL, "https://h/b?c", "https://h/b?c", NULL},
	    {NULL, "http://127.0.0.1:1/b", "http://127.0.0.1:1/b", NULL},
	    {NULL, "http://localhost/b", "http://localhost/b", NULL},
	    {NULL, "http://[::1]/b", "http://[::1]/b", NULL},
	    {NULL, "http://169.254.170.2/b", "http://169.254.170.2/b", NULL},
	    {NULL, "http://169.254.170.23/v1", "http://169.254.170.23/v1", NULL},
	    {NULL, "http://[fd00:ec2::23]/v1", "http://[fd00:ec2::23]/v1", NULL},
	    {NULL, "http://169.254.169.254/", NULL, ONLY},
	    {NULL, "http://192.168.1.1/", NULL, ONLY},
	    {NULL, "http://169.254.170.2.example.com/", NULL, ONLY},
	    {NULL, "http://example.com/", NULL, ONLY},
	    {NULL, "file:///etc/passwd", NULL,
	     FULL "this is not a URL that begins with https:// or http://"},
	    {"v2/a", NULL, NULL, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with '/'"},
	    {".example.com/", NULL, NULL,
	     "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with '/'"},
	    {"/a b", NULL, NULL,
	     "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: the URL has a character that no URL may have"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf url = {0};
		struct err e = {0};
		int rc = s3_service_container_url(cases[i].relative, cases[i].full, &url, &e);
		assert_int_equal(rc, cases[i].sentence ? -1 : 0);
		assert_string_equal(e.msg, cases[i].sentence ? cases[i].sentence : "");
		if (!rc)
			assert_string_equal(url.s, cases[i].url);
		buf_free(&url);
	}
}
