/* chart_svg_size: the size of a chart's SVG picture. */
#include "report/chart/chart_svg_size.h"

#include "report/units/model_json.h"

#define AXIS_GAP 8 /* from the labels of the value axis to the plot */

void chart_svg_size_add(cJSON *svg)
{
	model_json_number(svg, "width", CHART_SVG_WIDTH);
	model_json_number(svg, "height", CHART_SVG_HEIGHT);
	model_json_number(svg, "left", CHART_SVG_LEFT);
	model_json_number(svg, "right", CHART_SVG_RIGHT);
	model_json_number(svg, "top", CHART_SVG_TOP);
	model_json_number(svg, "bottom", CHART_SVG_BOTTOM);
	model_json_number(svg, "plot_width", CHART_SVG_PLOT_W);
	model_json_number(svg, "axis", CHART_SVG_LEFT - AXIS_GAP);
}
