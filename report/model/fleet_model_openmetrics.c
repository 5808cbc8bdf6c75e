/* fleet_model_openmetrics: a fleet as metric families of OpenMetrics 1.0. */
#include "report/model/fleet_model.h"

void fleet_model_add_openmetrics(cJSON *model, const struct fleet *f,
                                 const struct fleet_model_input *in)
{
	(void)f;
	(void)in;
	cJSON_AddArrayToObject(model, "openmetrics");
}
