/* version: the text that the Makefile defines for this file alone. */
#include "core/base/version.h"

const char rtrack_version[] = RTRACK_VERSION;
