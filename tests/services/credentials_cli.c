/* Takes credentials and an endpoint as rtrack-report does, and prints them: [TIME…]. With times (Unix
 * seconds), the keys are asked for at each of them; "refresh" forgets them, "forget" empties the
 * environment. A secret is printed: tests use made-up ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/json/json_write.h"
#include "report/aws_keys/s3_credentials.h"
#include "report/aws_keys/s3_endpoint.h"

static void write_keys(struct json_write *j, struct s3_credentials *c, double now)
{
	struct err e = {.msg = ""};
	const struct s3_keys *k = s3_credentials_get(c, now, &e);

	json_write_object(j, NULL);
	if (k) {
		json_write_str(j, "access", k->access);
		json_write_str(j, "secret", k->secret);
		json_write_str(j, "token", k->token);
		json_write_num(j, "expires", k->expires);
	} else {
		json_write_str(j, "error", e.msg);
	}
	json_write_object_end(j);
}

static void write_endpoint(struct json_write *j)
{
	struct s3_endpoint p;
	char ca[PATH_MAX];
	struct err e = {.msg = ""};
	struct buf url = {.len = 0};

	if (s3_endpoint_find(&p, ca, &e)) {
		json_write_str(j, "endpoint_error", e.msg);
		return;
	}
	s3_endpoint_url(&p, "bkt", "key", "", &url);
	json_write_str(j, "url", buf_cstr(&url));
	json_write_str(j, "region", p.region);
	buf_free(&url);
}

static void write_environment(struct json_write *j)
{
	char text[65536];
	FILE *f = fopen("/proc/self/environ", "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;

	for (size_t i = 0; i < n; i++)
		if (!text[i])
			text[i] = '\n';
	text[n] = '\0';
	if (f)
		fclose(f);
	json_write_str(j, "environ", text);
}

int main(int argc, char **argv)
{
	struct err e = {.msg = ""};
	struct s3_credentials *c = s3_credentials_new(&e);
	struct json_write j = {.depth = 0};
	double now = (double)time(NULL);

	if (!c)
		return 1;
	json_write_object(&j, NULL);
	json_write_array(&j, "keys");
	for (int i = 1; i < argc || i == 1; i++)
		if (argv[i] && strcmp(argv[i], "refresh") == 0)
			json_write_bool(&j, NULL, s3_credentials_refresh(c));
		else if (argv[i] && strcmp(argv[i], "forget") == 0)
			s3_credentials_forget();
		else
			write_keys(&j, c, argv[i] ? strtod(argv[i], NULL) : now);
	json_write_array_end(&j);
	write_endpoint(&j);
	write_environment(&j);
	json_write_object_end(&j);
	if (json_write_finish(&j))
		puts(buf_cstr(&j.b));
	json_write_free(&j);
	s3_credentials_free(c);
	return 0;
}
