/*
 * cloud_dmi: the cloud vendor according to the firmware's strings in /sys/class/dmi/id (SMBIOS
 * types 0 to 3), which every user may read, in containers too.
 */
#ifndef COLLECT_CLOUD_CLOUD_DMI_H
#define COLLECT_CLOUD_CLOUD_DMI_H

#include "collect/cloud/cloud_vendor.h"
#include "collect/procfs/root.h"

enum cloud_dmi_field {
	CLOUD_DMI_SYS_VENDOR,
	CLOUD_DMI_PRODUCT_NAME,
	CLOUD_DMI_PRODUCT_VERSION,
	CLOUD_DMI_PRODUCT_FAMILY,
	CLOUD_DMI_PRODUCT_SKU,
	CLOUD_DMI_BIOS_VENDOR,
	CLOUD_DMI_BIOS_VERSION,
	CLOUD_DMI_CHASSIS_ASSET_TAG,
	CLOUD_DMI_FIELDS,
};

/* Without the newline; "" if it could not be read. */
struct cloud_dmi {
	char v[CLOUD_DMI_FIELDS][128];
};

void cloud_dmi_read(const struct root *r, struct cloud_dmi *out);

enum cloud_dmi_says {
	CLOUD_DMI_NOTHING,   /* not readable, or the name of a common hypervisor */
	CLOUD_DMI_ELSEWHERE, /* other hardware: none of the eight vendors */
	CLOUD_DMI_MAYBE,     /* *id, if its metadata service confirms it */
	CLOUD_DMI_VENDOR,    /* *id */
};

/* Pure. type is set to the instance type if the firmware has it, else to "". */
enum cloud_dmi_says cloud_dmi_judge(const struct cloud_dmi *d, enum cloud_id *id,
                                    char type[CLOUD_VALUE_MAX]);

#endif
