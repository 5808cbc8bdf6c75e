/*
 * same_input: change points of measures that may follow the size of a run's input. Pure.
 *
 * Where the line y = a + b·x over the input (memory_fit.h) is usable, the runs are also searched as
 * they would have been with the last run's input x₀:
 *
 *	y × (a + b·x₀) / (a + b·x),   and for a + b·x at least the smallest y
 *
 * The line is of values divided by the level of their stratum, without what is far off: outliers
 * and steps do not draw it aside. It is kept if it explains the runs better than levels alone. With
 * the mean distance d of the logarithms from the medians of their levels, and c changes, that is
 * the smaller
 *
 *	2 n ln(d + CHANGE_STEP) + 2 c ln n,   and ln n more with the line
 *
 * This is Schwarz's criterion for Laplace's distribution: a change costs its place and its level,
 * the line its slope; distances far below a step that counts, as whole seconds have them, are
 * alike. So a larger input is no change where a line is all that the runs need, and inputs that
 * happen to grow do not hide a change in the job. Nor do inputs that hardly differ: a line on which
 * 1 % of input is more than SAME_INPUT_STEEP % of y explains nothing.
 */
#ifndef REPORT_HISTORY_SAME_INPUT_H
#define REPORT_HISTORY_SAME_INPUT_H

#include "report/history/change_points.h"

#define SAME_INPUT_STEEP 3

/* A measure, and its rows with the last run's input. */
struct same_input {
	struct change_series *s;
	struct change_row *row; /* room for s->n */
	bool kept;              /* the line explains more: s->rows is row */
};

/* change_points_find of n ≤ CHANGE_TOGETHER measures, each with the rows that explain it better. */
void same_input_find(struct same_input *v, size_t n);

#endif
