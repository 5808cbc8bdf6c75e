/* keeper_file_parse: any bytes as a file of --keeper-save. Each answer lies within it and is found;
 * what is added comes back. */
#include "report/prices/keeper_file.h"
#include "tests/fuzz/fuzz.h"

static void find(const struct keeper_file *f, const char *path, bool servers)
{
	bool other = false;
	size_t n = 0;
	const char *body = keeper_file_get(f, path, servers, &n, &other);

	if (!body)
		return;
	must(body >= f->text.s + f->first && n < f->text.len);
	must(body + n < f->text.s + f->text.len && body[n] == '\0');
}

/* The bytes as a path, up to their first NUL. */
static void add(struct keeper_file *f, const char *path, bool servers)
{
	bool other;
	size_t n = 0;
	const char *body;

	if (strchr(path, '\n')) /* no URL has one */
		return;
	keeper_file_add(f, path, servers, "[1]", 3);
	body = keeper_file_get(f, path, servers, &n, &other);
	must(body && n == 3 && strcmp(body, "[1]") == 0);
	must(keeper_file_parse(f, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keeper_file f = {.text.max = KEEPER_FILE_MAX};
	char *path = malloc(size + 1);

	if (!path)
		return 0;
	memcpy(path, data, size);
	path[size] = '\0';
	buf_add(&f.text, data, size);
	if (keeper_file_parse(&f, NULL) == 0) {
		must(f.first > 0 && f.first <= f.text.len && f.saved_at >= 0);
		find(&f, "/servers?vcpus_min=1", true);
		find(&f, "/servers?vcpus_min=1&benchmark_id=b", true);
		find(&f, "/regions", false);
	}
	keeper_file_free(&f);
	f = (struct keeper_file){.saved_at = 1};
	if (size < 4096) {
		add(&f, path, true);
		add(&f, path, false);
	}
	keeper_file_free(&f);
	free(path);
	return 0;
}
