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
	.section .note.GNU-stack, "", %progbits
