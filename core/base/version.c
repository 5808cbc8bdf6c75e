/* version: the text that the Makefile defines for this file alone, so that a new commit compiles nothing else. */
#include "core/base/version.h"

const char rtrack_version[] = RTRACK_VERSION;
