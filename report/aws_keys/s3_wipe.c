/* s3_wipe: frees memory that may hold a secret, after overwriting it. */
#include "report/aws_keys/s3_wipe.h"

#include <stdlib.h>
#include <string.h>

void s3_wipe_buf(struct buf *b)
{
	if (b->s)
		explicit_bzero(b->s, b->cap);
	buf_free(b);
}

void s3_wipe_text(char **text)
{
	if (*text)
		explicit_bzero(*text, strlen(*text));
	free(*text);
	*text = NULL;
}
