/* units, units_text: any number as text that fits, and says the same for the same. */
#include <math.h>
#include <string.h>

#include "report/units/model_json.h"
#include "report/units/units.h"
#include "tests/fuzz/fuzz.h"

static void is_text(const char *s, double v)
{
	must(*s && strlen(s) < 64);
	for (const char *p = s; *p; p++)
		must((unsigned char)*p >= 0x20 && *p != 0x7f);
	must(!strstr(s, "nan") && !strstr(s, "-0 ") && strcmp(s, "-0") != 0);
	must(isnan(v) == !strcmp(s, "not measured") || isnan(v));
	must(!strstr(s, "1024 KiB") && !strstr(s, "1024 MiB") && !strstr(s, "1024 GiB"));
	must(!strstr(s, " 60 s") && !strstr(s, " 60 min") && !strstr(s, "24 h"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char currency[16] = "", out[64];
	double v = 0;

	memcpy(&v, data, size < sizeof v ? size : sizeof v);
	if (size > sizeof v)
		memcpy(currency, data + sizeof v,
		       size - sizeof v < sizeof currency ? size - sizeof v : sizeof currency - 1);
	currency[sizeof currency - 1] = '\0';
	for (int u = 0; u <= UNIT_MONEY; u++)
		is_text(units_text((enum unit)u, v, currency, out), v);
	memset(out, 0, sizeof out);
	units_time_iso(v, out);
	must(strlen(out) < UNITS_SIZE);
	units_time_text(v, out);
	must(strlen(out) < UNITS_SIZE);
	return 0;
}
