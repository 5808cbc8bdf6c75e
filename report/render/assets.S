/*
 * assets: the bytes of each file of assets.def, with a NUL after them, as asset_SYMBOL[] up to
 * asset_SYMBOL_end[].
 */
#define ASSET(symbol, file)                                                                         \
	.globl asset_##symbol;                                                                      \
	asset_##symbol:;                                                                            \
	.incbin file;                                                                               \
	.byte 0;                                                                                    \
	.globl asset_##symbol##_end;                                                                \
	asset_##symbol##_end:;

	.section .rodata
#include "assets.def"
#ifdef __CET__
#include <cet.h> /* says that no branch leads astray here: else the whole program could not say so */
#endif
	.section .note.GNU-stack, "", %progbits
