/* store_pieces_names: the addresses of the pieces of a journal in an object store. */
#include "report/store/store_pieces_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/input/store_address.h"

#define MARK_MAX (sizeof STORE_PIECES + sizeof ".100/")

/* The number of the recorder if text is ".partial/" or ".partial.N/" (n bytes), else 0. */
static unsigned folder_number(const char *text, size_t n)
{
	const size_t suffix = strlen(STORE_PIECES);
	unsigned number = 0;

	if (n < suffix + 1 || strncmp(text, STORE_PIECES, suffix) != 0 || text[n - 1] != '/')
		return 0;
	if (n == suffix + 1)
		return 1;
	if (text[suffix] != '.' || text[suffix + 1] == '0' || n > suffix + 5)
		return 0;
	for (size_t i = suffix + 1; i < n - 1; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		number = number * 10 + (unsigned)(text[i] - '0');
	}
	return number >= 2 && number <= STORE_PIECES_FOLDERS ? number : 0;
}

/* The length of the key's address if a folder's address (n bytes, with the slash) has one of the
 * suffixes, else 0. */
size_t store_pieces_key(const char *address, size_t n)
{
	for (size_t i = n > MARK_MAX ? n - MARK_MAX : 0; i < n; i++)
		if (address[i] == '.' && folder_number(address + i, n - i))
			return i;
	return 0;
}

bool store_pieces_parse(const char *address, size_t *folder, uint64_t *at)
{
	size_t n = strlen(address);

	if (n <= STORE_PIECES_DIGITS || address[n - STORE_PIECES_DIGITS - 1] != '/')
		return false;
	n -= STORE_PIECES_DIGITS;
	*at = 0;
	for (const char *p = address + n; *p; p++) {
		if (*p < '0' || *p > '9')
			return false;
		*at = *at * 10 + (uint64_t)(*p - '0');
	}
	*folder = n;
	return store_pieces_key(address, n) > 0;
}

bool store_pieces_of(const char *address, size_t key)
{
	size_t folder;
	uint64_t at;

	return store_pieces_parse(address, &folder, &at) &&
	       store_pieces_key(address, folder) == key;
}

bool store_pieces_prefix_of(const char *address, size_t key)
{
	const char *rest = address + key;

	return strcmp(rest, STORE_PIECES) == 0 || folder_number(rest, strlen(rest));
}

int store_pieces_folder(const char *address, unsigned number, char out[STORE_PIECES_ADDRESS])
{
	char count[16] = "";
	int n;

	if (number > 1)
		snprintf(count, sizeof count, ".%u", number);
	n = snprintf(out, STORE_PIECES_ADDRESS, "%s" STORE_PIECES "%s/", address, count);
	return n > 0 && n < STORE_PIECES_ADDRESS - STORE_PIECES_DIGITS ? 0 : -1;
}

int store_pieces_name(const char *folder, uint64_t at, char out[STORE_PIECES_ADDRESS])
{
	int n = snprintf(out, STORE_PIECES_ADDRESS, "%s%016" PRIu64, folder, at);

	return n > 0 && n < STORE_PIECES_ADDRESS ? 0 : -1;
}
