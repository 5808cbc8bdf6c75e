/* Tests of collect/gpu/gpu_fdinfo.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collect/gpu/gpu_fdinfo.h"
#include "tests/unit/unit.h"

static const char amd[] = "pos:\t0\n"
			  "drm-driver:\tamdgpu\n"
			  "drm-client-id:\t31\n"
			  "drm-pdev:\t0000:83:00.0\n"
			  "drm-memory-vram:\t1024 KiB\n"
			  "drm-memory-gtt: \t2048 KiB\n"
			  "drm-engine-gfx:\t100 ns\n"
			  "drm-engine-compute:\t7000 ns\n";

static const char xe[] = "drm-driver:\txe\n"
			 "drm-client-id:\t3\n"
			 "drm-pdev:\t0000:03:00.0\n"
			 "drm-total-vram0:\t30 MiB\n"
			 "drm-resident-vram0:\t20 MiB\n"
			 "drm-active-vram0:\t1 MiB\n"
			 "drm-total-vram1:\t5 MiB\n"
			 "drm-total-gtt:\t192 KiB\n"
			 "drm-cycles-rcs:\t50\n"
			 "drm-total-cycles-rcs:\t200\n"
			 "drm-engine-capacity-ccs:\t4\n"
			 "drm-cycles-ccs:\t160\n"
			 "drm-total-cycles-ccs:\t200\n";

static int parse(const char *text, struct gpu_fdinfo *f)
{
	return gpu_fdinfo_parse(text, strlen(text), f);
}

TEST(fields)
{
	struct gpu_fdinfo f;

	assert_int_equal(parse(amd, &f), 0);
	assert_string_equal(f.driver, "amdgpu");
	assert_string_equal(f.pdev, "0000:83:00.0");
	assert_true(f.has_client);
	assert_int_equal(f.client, 31);
	assert_true(f.vram_b == 1048576);
	assert_int_equal(f.engines, 2);
	assert_string_equal(f.engine[1].name, "compute");
	assert_int_equal(f.engine[1].busy_ns, 7000);
	assert_int_equal(f.engine[1].capacity, 1);
}

TEST(memory)
{
	static const struct {
		const char *text;
		double b;
	} rows[] = {
	    {"drm-memory-vram: 5\n", 5},
	    {"drm-memory-vram: 5 KiB\n", 5120},
	    {"drm-memory-vram:5 MiB\n", 5242880},
	    {"drm-memory-vram: 5 GiB\n", 5368709120},
	    {"drm-memory-gtt: 5 MiB\ndrm-memory-cpu: 5 MiB\n", 0},
	    {"drm-total-local0: 3 KiB\ndrm-resident-local0: 2 KiB\n", 2048},
	    {"drm-resident-vram: 2 KiB\ndrm-memory-vram: 2 KiB\ndrm-total-vram: 9 KiB\n", 2048},
	    {"drm-memory-vram: x\n", 0},
	    {"drm-memory-vram-without-end 7\n", 0},
	    {"drm-memory-:7\n", 0},
	};
	struct gpu_fdinfo f;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256] = "drm-driver: amdgpu\n";
		strncat(text, rows[i].text, sizeof text - 32);
		assert_int_equal(parse(text, &f), 0);
		assert_true(f.vram_b == rows[i].b);
	}
	assert_int_equal(parse(xe, &f), 0);
	assert_true(f.vram_b == 25 * 1048576.0);
}

TEST(not_a_gpu)
{
	static const char *const texts[] = {"", "\n", "pos:\t0\nflags:\t02\n", "drm-driver:\n",
	                                    "xdrm-driver: a\n"};
	struct gpu_fdinfo f;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(parse(texts[i], &f), -1);
}

TEST(caps)
{
	char text[8192] = "drm-driver: a-very-long-name-of-a-driver\n";
	struct gpu_fdinfo f;

	for (int i = 0; i < 200; i++) {
		char line[64];
		snprintf(line, sizeof line, "drm-engine-e%d: %d ns\n", i, i);
		strncat(text, line, sizeof text - strlen(text) - 1);
	}
	strncat(text, "drm-engine-name-that-does-not-fit: 1 ns\ndrm-engine-capacity-e0: 0\n",
	        sizeof text - strlen(text) - 1);
	assert_int_equal(parse(text, &f), 0);
	assert_int_equal(f.engines, GPU_FDINFO_ENGINES);
	assert_int_equal(strlen(f.driver), sizeof f.driver - 1);
	assert_int_equal(f.engine[0].capacity, 1);
}

TEST(busy)
{
	struct gpu_fdinfo before, now;

	assert_int_equal(parse(amd, &before), 0);
	now = before;
	now.engine[0].busy_ns += 200;
	now.engine[1].busy_ns += 750;
	assert_true(fabs(gpu_fdinfo_busy(&before, &now, 1000) - 0.75) < 1e-9);
	assert_true(gpu_fdinfo_busy(&before, &now, 500) == 1);
	assert_true(gpu_fdinfo_busy(&now, &before, 1000) == 0);
	assert_true(gpu_fdinfo_busy(&before, &now, 0) == 0);
	assert_true(fabs(gpu_fdinfo_busy(NULL, &before, 14000) - 0.5) < 1e-9);
	/* Four engines of a kind: 160 of 4 × 200. */
	assert_int_equal(parse(xe, &now), 0);
	assert_true(fabs(gpu_fdinfo_busy(NULL, &now, 1) - 0.25) < 1e-9);
}
