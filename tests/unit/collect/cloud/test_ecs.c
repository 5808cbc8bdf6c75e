/* ecs: which addresses are asked, and what the answers say. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collect/cloud/ecs.h"
#include "tests/unit/unit.h"

#define FIXTURES "tests/fixtures/environment/"
#define MIB      0x1p20

TEST(addresses)
{
	static const struct {
		const char *uri;
		bool asked;
	} cases[] = {
	    {"http://169.254.170.2/v4/9a0c1e", true},
	    {"http://127.0.0.1:8080/v4/x", true},
	    {"http://localhost:8080", true},
	    {"http://169.254.170.2:0/v4", false},
	    {"http://169.254.170.2:65536/v4", false},
	    {"http://169.254.170.2x/v4", false},
	    {"http://10.0.0.1/v4", false},
	    {"http://example.org/v4", false},
	    {"https://169.254.170.2/v4", false},
	    {"http://169.254.170.2/v4 HTTP/1.1\r\nX: y", false},
	    {"http://169.254.170.2/\xc3\xa9", false},
	    {"http://", false},
	    {"", false},
	};
	char huge[ECS_URI_MAX + 32];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (ecs_uri(cases[i].uri) != cases[i].asked)
			fail_msg("%s", cases[i].uri);
	snprintf(huge, sizeof huge, "http://127.0.0.1/%0*d", ECS_URI_MAX, 0);
	assert_false(ecs_uri(huge));
}

static void assert_limits(const char *text, bool task, double cpus, double memory_b)
{
	struct ecs_limits l = {NAN, NAN};

	ecs_read(text, strlen(text), task, &l);
	if (isnan(l.cpus) != isnan(cpus) || (!isnan(cpus) && fabs(l.cpus - cpus) > 1e-12) ||
	    isnan(l.memory_b) != isnan(memory_b) ||
	    (!isnan(memory_b) && fabs(l.memory_b - memory_b) > 0.5))
		fail_msg("%s: %g, %g", text, l.cpus, l.memory_b);
}

TEST(answers)
{
	assert_limits("{\"Limits\":{\"CPU\":0.25,\"Memory\":512}}", true, 0.25, 512 * MIB);
	assert_limits("{\"Limits\":{\"CPU\":1024,\"Memory\":512}}", false, 1, 512 * MIB);
	assert_limits("{\"Limits\":{\"CPU\":2,\"Memory\":512}}", false, NAN, 512 * MIB);
	assert_limits("{\"Limits\":{\"CPU\":0,\"Memory\":0}}", true, NAN, NAN);
	assert_limits("{\"Limits\":{\"CPU\":\"4\",\"Memory\":-1}}", true, NAN, NAN);
	assert_limits("{\"Limits\":null}", true, NAN, NAN);
	assert_limits("{\"limits\":{\"CPU\":4}}", true, NAN, NAN);
	assert_limits("[{\"Limits\":{\"CPU\":4}}]", true, NAN, NAN);
	assert_limits("{\"Limits\":{\"CPU\":4}", true, NAN, NAN);
	assert_limits("", true, NAN, NAN);
}

static void read_fixture(const char *path, bool task, struct ecs_limits *l)
{
	char text[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof text, f);
	fclose(f);
	ecs_read(text, n, task, l);
}

/* A task's own limits come first; on EC2 it has none, and the container's count. */
TEST(tasks_and_containers)
{
	struct ecs_limits fargate = {NAN, NAN}, ec2 = {NAN, NAN};

	read_fixture(FIXTURES "ecs-task-fargate.json", true, &fargate);
	read_fixture(FIXTURES "ecs-container-ec2.json", false, &fargate);
	assert_true(fargate.cpus == 2 && fargate.memory_b == 4096 * MIB);
	read_fixture(FIXTURES "ecs-task-ec2.json", true, &ec2);
	assert_true(isnan(ec2.cpus) && isnan(ec2.memory_b));
	read_fixture(FIXTURES "ecs-container-ec2.json", false, &ec2);
	assert_true(ec2.cpus == 4 && ec2.memory_b == 8192 * MIB);
}
