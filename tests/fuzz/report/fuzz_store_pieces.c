/* store_pieces and journal_header: any address as that of a piece, any bytes as the beginning and
 * the rest of a journal. */
#include <string.h>

#include "report/store/journal_header.h"
#include "report/store/store_pieces.h"
#include "tests/fuzz/fuzz.h"

static void address(const char *text)
{
	char name[STORE_PIECES_ADDRESS], again[STORE_PIECES_ADDRESS];
	size_t folder = 0;
	uint64_t at = 0;

	if (!store_pieces_parse(text, &folder, &at))
		return;
	must(folder > 0 && text[folder - 1] == '/');
	memcpy(name, text, folder);
	name[folder] = '\0';
	must(store_pieces_name(name, at, again) == 0 && strcmp(again, text) == 0);
}

static void journal(const char *text, size_t n)
{
	struct snapshot s = {.schema = SCHEMA_1};
	struct journal_layout h;
	int fd = fuzz_file(text, n);
	uint64_t to, end;

	if (journal_layout_parse(&h, &s, text, n) == 0) {
		must(h.size <= n && h.record > 0);
		must(journal_header_end(fd, &h, &end, NULL) == 0 && end <= n && end >= h.size);
		must(journal_header_settled(fd, &h, 0, &to, NULL) == 0);
		must(to <= end && to >= h.size && (to - h.size) % h.record == 0);
		must(journal_header_settled(fd, &h, to, &end, NULL) == 0 && end >= to);
	}
	snapshot_free(&s);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (size && *text == 'r')
		journal(text, size);
	else if (size < STORE_PIECES_ADDRESS / 4)
		address(text);
	free(text);
	return 0;
}
