/* model_head: the first keys of every model. */
#include "report/model/model_head.h"

#include "report/units/model_json.h"

void model_head_add(cJSON *model, const char *format, const char *integration, double now,
                    const char *title)
{
	cJSON *g;

	cJSON_AddStringToObject(model, "format", format);
	cJSON_AddNumberToObject(model, "version", 1);
	g = cJSON_AddObjectToObject(model, "generator");
	cJSON_AddStringToObject(g, "name", "rtrack-report");
	cJSON_AddStringToObject(g, "version", RTRACK_VERSION);
	model_json_cut_or_null(g, "integration", integration, MODEL_JSON_NAME_MAX);
	model_json_time(model, "generated", now);
	model_json_cut(model, "title", title, MODEL_JSON_NAME_MAX);
}
