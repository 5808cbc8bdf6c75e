/* catalog_bucket: logarithmic buckets of values. */
#include "fleet/catalog/catalog_bucket.h"

#include <math.h>

double catalog_bucket_low(int bucket)
{
	return bucket > 0 ? CATALOG_BUCKET_MIN * pow(CATALOG_BUCKET_WIDTH, bucket - 1) : 0;
}

int catalog_bucket(double v)
{
	int k;

	if (!(v >= CATALOG_BUCKET_MIN))
		return 0;
	k = (int)(log(v / CATALOG_BUCKET_MIN) / log(CATALOG_BUCKET_WIDTH)) + 1;
	/* The logarithm is rounded: at a border it may be one off. */
	while (k > 1 && v < catalog_bucket_low(k))
		k--;
	while (v >= catalog_bucket_low(k + 1))
		k++;
	return k;
}

double catalog_bucket_middle(int bucket)
{
	return catalog_bucket_low(bucket) * sqrt(CATALOG_BUCKET_WIDTH);
}
