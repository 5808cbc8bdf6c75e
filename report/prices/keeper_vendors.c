/* keeper_vendors: the cloud vendors of the Keeper API. */
#include "report/prices/keeper_vendors.h"

#include "report/prices/keeper_filters.h"

#include <strings.h>

const struct keeper_vendor keeper_vendors[] = {
    {"aws", "AWS", 60, 1},
    {"gcp", "GCP", 60, 1},
    {"azure", "Azure", 300, 1},
    {"hcloud", "Hetzner", 3600, 3600},
    {"upcloud", "UpCloud", 3600, 3600},
    {"alicloud", "Alibaba", 600, 1},
    {"ovh", "OVH", 3600, 3600},
    {"vultr", "Vultr", 3600, 3600},
    {NULL, NULL, 0, 0},
};

const struct keeper_filter_word keeper_vendor_words[] = {
    {"aws", "Amazon"},
    {"aws", "Amazon Web Services"},
    {"aws", "EC2"},
    {"gcp", "Google"},
    {"gcp", "Google Cloud"},
    {"gcp", "GCE"},
    {"azure", "Microsoft"},
    {"azure", "Microsoft Azure"},
    {"azure", "MS"},
    {"hcloud", "Hetzner"},
    {"hcloud", "Hetzner Cloud"},
    {"upcloud", "UpCloud"},
    {"alicloud", "Alibaba"},
    {"alicloud", "Alibaba Cloud"},
    {"alicloud", "Aliyun"},
    {"ovh", "OVHcloud"},
    {"vultr", NULL},
    {NULL, NULL},
};

const struct keeper_vendor *keeper_vendors_find(const char *id)
{
	for (const struct keeper_vendor *v = keeper_vendors; v->id; v++)
		if (!strcasecmp(v->id, id))
			return v;
	return NULL;
}
