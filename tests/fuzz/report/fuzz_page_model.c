/* fuzz_page_model: any text as a page. Its model, if it has one, goes into a page again and comes out
 * as it was; as a run, it has statistics or a sentence says why not. */
#include <string.h>

#include "core/recording/snapshot_read.h"
#include "report/runs/load.h"
#include "report/runs/load_page.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"
#include "tests/fuzz/fuzz.h"

static void pack_again(const cJSON *model)
{
	enum page_model_without without;
	struct buf page = {0};
	struct err e = {{0}};

	if (page_model_pack(&page, model, 0, &without, &e) == 0)
		must(strncmp(buf_cstr(&page), "<script ", 8) == 0 &&
		     strstr(page.s, "</script>") + strlen("</script>\n") == page.s + page.len);
	buf_free(&page);
}

static void load_as_run(const char *path, enum snapshot_want want)
{
	struct run *run = calloc(1, sizeof *run);
	struct err e = {{0}};

	must(run);
	if (load_page_read(&run->snapshot, path, want, &run->page, &e))
		must(*e.msg && !run->page && !run->snapshot.arena);
	else
		must(run->page && run->snapshot.head_only && run->snapshot.summary &&
		     (load_measure(run, &e) == 0 || *e.msg));
	snapshot_free(&run->snapshot);
	free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct page_text page = {(const char *)data, size};
	enum page_model_without without;
	struct err e = {{0}};
	int fd = fuzz_file(data, size);
	char path[32];
	cJSON *model = page_model_parse(page, "page", &without, &e);

	must(model || strncmp(e.msg, "page: ", 6) == 0);
	if (model)
		pack_again(model);
	cJSON_Delete(model);
	load_as_run(fuzz_path(fd, path), SNAPSHOT_WANT_HEAD);
	load_as_run(path, SNAPSHOT_WANT_ROWS);
	close(fd);
	return 0;
}
