/* gpu_brand: who made a GPU. */
#include "report/model/gpu_brand.h"

#include <ctype.h>
#include <string.h>

#define NVIDIA "nvidia"
#define AMD    "amd"
#define SERIAL 16 /* digits */

/* Words of names, as drivers spell them. */
static const struct {
	const char *word, *brand;
} words[] = {{"NVIDIA", NVIDIA}, {"Tesla", NVIDIA}, {"GeForce", NVIDIA}, {"Quadro", NVIDIA},
             {"AMD", AMD},       {"Radeon", AMD},   {"Instinct", AMD},   {"Intel", "intel"}};

/* Whether it has the form 8-4-4-4-12, which NVML gives. */
static bool is_long_uuid(const char *s)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i = 0;

	while (form[i] && (form[i] == 'x' ? isxdigit((unsigned char)s[i]) : s[i] == '-'))
		i++;
	return !form[i] && !s[i];
}

/* Among the drivers without a library, amdgpu alone has a serial number. */
static const char *brand_of_uuid(const char *uuid)
{
	if (strncmp(uuid, "MIG-", 4) == 0)
		return NVIDIA;
	if (strncmp(uuid, "GPU-", 4) != 0)
		return "";
	uuid += 4;
	if (is_long_uuid(uuid))
		return NVIDIA;
	return strlen(uuid) == SERIAL && strspn(uuid, "0123456789abcdef") == SERIAL ? AMD : "";
}

const char *gpu_brand(const struct snapshot_gpu *g)
{
	const char *brand = brand_of_uuid(g->uuid ? g->uuid : "");

	for (size_t i = 0; !*brand && g->name && i < sizeof words / sizeof *words; i++)
		if (strstr(g->name, words[i].word))
			brand = words[i].brand;
	return brand;
}
