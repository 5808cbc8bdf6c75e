/* size: any bytes. What is taken is finite and not negative, also without the unit's being required. */
#include <math.h>

#include "core/base/quantity.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double bare = -1, v = -1;
	int with_unit = quantity_size((const char *)data, size, QUANTITY_WITH_UNIT, &v);

	if (quantity_size((const char *)data, size, QUANTITY_BARE, &bare))
		must(with_unit && bare == -1);
	else
		must(isfinite(bare) && bare >= 0);
	must(with_unit ? v == -1 : v == bare);
	return 0;
}
