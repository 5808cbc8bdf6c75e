/*
 * s3_proof: whether a store has what was sent to it.
 *
 * A status of 200 shows that something answered: a network's login page does so too, and the
 * default page of a server. The caller deletes what was sent afterwards, so more is asked for:
 *
 *	s3://     an ETag in the answer (of each part), and then HEAD, which must name the same size
 *	          and ETag. Where the keys may not ask (a policy with s3:PutObject alone), a
 *	          digest of what was sent proves it.
 *	https://  a digest; else HEAD with the same address, which must name the size. The
 *	          signature in such an address is mostly of PUT alone.
 *
 * Digests: the MD5 as ETag, Content-MD5 or in x-goog-hash; x-amz-checksum-crc64nvme.
 */
#ifndef REPORT_STORE_S3_PROOF_H
#define REPORT_STORE_S3_PROOF_H

#include "report/store/s3_client.h"
#include "report/store/s3_spool.h"

/* What the answer to the writing says. */
struct s3_proof {
	long status;
	char tag[STORE_TAG_MAX]; /* "": none */
	bool digested;           /* it names a digest of what was sent */
	bool in_parts;           /* each of its parts had an ETag: the last answer needs none */
};

void s3_proof_begin(struct s3_proof *given, const struct http_reply *a, const struct s3_sums *sums);

/* 0 if it is stored; -1 with a sentence that says why that is not known. */
int s3_proof_look(const struct s3_spool *p, struct s3_client *c, const struct s3_proof *given,
                  struct err *e);

#endif
