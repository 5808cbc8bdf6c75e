/*
 * version: which rtrack this is. The Makefile has the number of the release, and packaging/version
 * adds the commit between releases.
 */
#ifndef CORE_BASE_VERSION_H
#define CORE_BASE_VERSION_H

/* Such as "X.Y.Z", or "X.Y.Z+20261129071420.g07146d0f". Tests are linked with "X.Y.Z" alone. */
extern const char rtrack_version[];

#endif
