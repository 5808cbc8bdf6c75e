/*
 * ecs: what a container of AWS Batch or ECS was given, by its task metadata service (version 4).
 *
 * ${ECS_CONTAINER_METADATA_URI_V4}/task has the limits of the task: vCPUs and MiB. Tasks on EC2,
 * as those of AWS Batch, may have none; then ${ECS_CONTAINER_METADATA_URI_V4} has those of the
 * container: CPU units, 1024 to a vCPU, and MiB.
 */
#ifndef COLLECT_CLOUD_ECS_H
#define COLLECT_CLOUD_ECS_H

#include <stdbool.h>
#include <stddef.h>

#define ECS_URI_MAX 256

/* NAN: unknown. */
struct ecs_limits {
	double cpus, memory_b;
};

/* Whether this is http:// on a link-local or loopback address, with a path that a request may
 * have. Nothing else is asked. */
bool ecs_uri(const char *uri);

/* Sets what *l does not have from an answer. task: of /task; false: of the container. Pure. */
void ecs_read(const char *text, size_t n, bool task, struct ecs_limits *l);

/* Asks, within limit_ms for all requests. Allocates 64 KiB. */
void ecs_ask(const char *uri, int limit_ms, struct ecs_limits *l);

#endif
