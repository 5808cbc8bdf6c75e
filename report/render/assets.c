/* assets: looks up the files that assets.S links into the program. */
#include "report/render/assets.h"

#include <string.h>

#define ASSET(symbol, file) extern const char asset_##symbol[], asset_##symbol##_end[];
#include "report/render/assets.def"
#undef ASSET

static const struct {
	const char *name, *start, *end;
} assets[] = {
#define ASSET(symbol, file) {file, asset_##symbol, asset_##symbol##_end},
#include "report/render/assets.def"
#undef ASSET
};

const char *assets_find(void *ctx, const char *name, size_t *len)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
		if (strcmp(assets[i].name, name))
			continue;
		*len = (size_t)(assets[i].end - assets[i].start) - 1;
		return assets[i].start;
	}
	return NULL;
}

bool assets_have(const char *text)
{
	for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
		if (assets[i].start == text)
			return true;
	return false;
}
