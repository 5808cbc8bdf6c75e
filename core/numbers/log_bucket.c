/* log_bucket: logarithmic buckets of values. */
#include "core/numbers/log_bucket.h"

#include <math.h>

double log_bucket_low(int bucket)
{
	return bucket > 0 ? LOG_BUCKET_MIN * pow(LOG_BUCKET_WIDTH, bucket - 1) : 0;
}

int log_bucket(double v)
{
	int k;

	if (!(v >= LOG_BUCKET_MIN))
		return 0;
	k = (int)(log(v / LOG_BUCKET_MIN) / log(LOG_BUCKET_WIDTH)) + 1;
	/* The logarithm is rounded: at a border it may be one off. */
	while (k > 1 && v < log_bucket_low(k))
		k--;
	while (v >= log_bucket_low(k + 1))
		k++;
	return k;
}

double log_bucket_middle(int bucket)
{
	return log_bucket_low(bucket) * sqrt(LOG_BUCKET_WIDTH);
}
