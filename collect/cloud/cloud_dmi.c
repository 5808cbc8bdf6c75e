/* cloud_dmi: the cloud vendor according to the firmware's strings. */
#include "collect/cloud/cloud_dmi.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const files[CLOUD_DMI_FIELDS] = {
    [CLOUD_DMI_SYS_VENDOR] = "sys_vendor",
    [CLOUD_DMI_PRODUCT_NAME] = "product_name",
    [CLOUD_DMI_PRODUCT_VERSION] = "product_version",
    [CLOUD_DMI_PRODUCT_FAMILY] = "product_family",
    [CLOUD_DMI_PRODUCT_SKU] = "product_sku",
    [CLOUD_DMI_BIOS_VENDOR] = "bios_vendor",
    [CLOUD_DMI_BIOS_VERSION] = "bios_version",
    [CLOUD_DMI_CHASSIS_ASSET_TAG] = "chassis_asset_tag",
};

void cloud_dmi_read(const struct root *r, struct cloud_dmi *out)
{
	*out = (struct cloud_dmi){.v = {""}};
	for (size_t i = 0; i < CLOUD_DMI_FIELDS; i++) {
		char path[64], *v = out->v[i];
		long n;

		snprintf(path, sizeof path, "sys/class/dmi/id/%s", files[i]);
		n = root_read(r, path, v, sizeof out->v[i]);
		if (n < 0)
			n = 0;
		while (n > 0 && (v[n - 1] == '\n' || v[n - 1] == ' '))
			n--;
		v[n] = '\0';
	}
}

enum match { EQUALS, BEGINS, CONTAINS };

/* The first matching row decides. sys_vendor does not identify GCP and Azure: a Chromebook's is
 * Google, a Surface laptop's or an on-premises Hyper-V's is Microsoft. */
static const struct {
	enum cloud_dmi_says says;
	enum cloud_id id;
	enum cloud_dmi_field field;
	enum match match;
	const char *text;
} rows[] = {
    {CLOUD_DMI_VENDOR, CLOUD_AWS, CLOUD_DMI_SYS_VENDOR, EQUALS, "Amazon EC2"},
    {CLOUD_DMI_VENDOR, CLOUD_AWS, CLOUD_DMI_BIOS_VENDOR, EQUALS, "Amazon EC2"},
    {CLOUD_DMI_VENDOR, CLOUD_AWS, CLOUD_DMI_BIOS_VERSION, CONTAINS, ".amazon"},
    {CLOUD_DMI_VENDOR, CLOUD_GCP, CLOUD_DMI_PRODUCT_NAME, BEGINS, "Google Compute Engine"},
    {CLOUD_DMI_VENDOR, CLOUD_AZURE, CLOUD_DMI_CHASSIS_ASSET_TAG, EQUALS,
     "7783-7084-3265-9085-8269-3286-77"},
    {CLOUD_DMI_VENDOR, CLOUD_HCLOUD, CLOUD_DMI_SYS_VENDOR, EQUALS, "Hetzner"},
    {CLOUD_DMI_VENDOR, CLOUD_UPCLOUD, CLOUD_DMI_SYS_VENDOR, EQUALS, "UpCloud"},
    {CLOUD_DMI_VENDOR, CLOUD_ALICLOUD, CLOUD_DMI_SYS_VENDOR, BEGINS, "Alibaba Cloud"},
    {CLOUD_DMI_VENDOR, CLOUD_ALICLOUD, CLOUD_DMI_PRODUCT_NAME, BEGINS, "Alibaba Cloud"},
    {CLOUD_DMI_VENDOR, CLOUD_VULTR, CLOUD_DMI_SYS_VENDOR, EQUALS, "Vultr"},
    {CLOUD_DMI_MAYBE, CLOUD_OVH, CLOUD_DMI_PRODUCT_NAME, BEGINS, "OpenStack"},
    {CLOUD_DMI_MAYBE, CLOUD_OVH, CLOUD_DMI_SYS_VENDOR, BEGINS, "OpenStack"},
    {CLOUD_DMI_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "QEMU"},
    {CLOUD_DMI_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Xen"},
    {CLOUD_DMI_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Red Hat"},
    {CLOUD_DMI_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "KVM"},
    {CLOUD_DMI_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Bochs"},
};

static bool dmi_matches(const char *v, enum match match, const char *text)
{
	if (match == EQUALS)
		return strcmp(v, text) == 0;
	if (match == BEGINS)
		return strncmp(v, text, strlen(text)) == 0;
	return strstr(v, text) != NULL;
}

/* "cpx31": Hetzner has it in one of several fields. */
static bool is_hcloud_type(const char *v)
{
	static const char *const families[] = {"cpx", "cax", "ccx", "cx"};

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t n = strlen(families[i]);
		if (strncasecmp(v, families[i], n) == 0)
			return v[n] && v[n + strspn(v + n, "0123456789")] == '\0';
	}
	return false;
}

/* "m5.large"; Xen instances, before Nitro, have "HVM domU". */
static bool is_aws_type(const char *v)
{
	return strchr(v, '.') && !strchr(v, ' ');
}

static void find_type(const struct cloud_dmi *d, enum cloud_id id, char type[CLOUD_VALUE_MAX])
{
	const char *name = d->v[CLOUD_DMI_PRODUCT_NAME];

	if (id == CLOUD_AWS && is_aws_type(name))
		(void)cloud_vendor_value(name, strlen(name), type);
	for (size_t i = CLOUD_DMI_PRODUCT_NAME; id == CLOUD_HCLOUD && i <= CLOUD_DMI_PRODUCT_SKU;
	     i++)
		if (is_hcloud_type(d->v[i]))
			(void)cloud_vendor_value(d->v[i], strlen(d->v[i]), type);
}

enum cloud_dmi_says cloud_dmi_judge(const struct cloud_dmi *d, enum cloud_id *id,
                                    char type[CLOUD_VALUE_MAX])
{
	bool any = false;

	type[0] = '\0';
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!dmi_matches(d->v[rows[i].field], rows[i].match, rows[i].text))
			continue;
		*id = rows[i].id;
		if (rows[i].says == CLOUD_DMI_VENDOR)
			find_type(d, *id, type);
		return rows[i].says;
	}
	for (size_t i = 0; i < CLOUD_DMI_FIELDS; i++)
		any |= d->v[i][0] != '\0';
	return any ? CLOUD_DMI_ELSEWHERE : CLOUD_DMI_NOTHING;
}
