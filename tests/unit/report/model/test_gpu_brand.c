/* gpu_brand: who made a GPU, from the UUID and the name that its driver gives. */
#include "report/model/gpu_brand.h"
#include "tests/unit/unit.h"

TEST(brands)
{
	static const struct {
		const char *uuid, *name, *brand;
	} cases[] = {
	    {"GPU-8f3a1c22-0b7e-4d5f-9a61-2c3d4e5f6a7b", "Tesla T4", "nvidia"},
	    {"GPU-8F3A1C22-0b7e-4d5f-9a61-2c3d4e5f6a7b", "", "nvidia"},
	    {"MIG-8f3a1c22-0b7e-4d5f-9a61-2c3d4e5f6a7b", "NVIDIA A100 MIG 1g.5gb", "nvidia"},
	    {"GPU-a1b2c3d4e5f60718", "Radeon RX 7900 XTX", "amd"},
	    {"GPU-a1b2c3d4e5f60718", "", "amd"},
	    {"PCI-0000:03:00.0", "AMD GPU 0x744c", "amd"},
	    {"PCI-0000:00:02.0", "Intel GPU 0x9a49", "intel"},
	    {"", "NVIDIA H100", "nvidia"},
	    {"GPU-b", "Model X", ""},
	    {"GPU-", "Model X", ""},
	    {"GPU-8f3a1c22-0b7e-4d5f-9a61-2c3d4e5f6a7b0", "Model X", ""},
	    {"PCI-0000:03:00.0", "", ""},
	    {NULL, NULL, ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(
		    gpu_brand(&(struct snapshot_gpu){.uuid = cases[i].uuid, .name = cases[i].name}),
		    cases[i].brand);
}
