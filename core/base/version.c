/* version: the text that the Makefile defines for this file alone: a commit compiles no other. */
#include "core/base/version.h"

const char rtrack_version[] = RTRACK_VERSION;
