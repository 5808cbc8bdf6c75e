/*
 * store_pieces_names: the addresses of the pieces of a journal in an object store: FOLDER and 16
 * decimal digits (store_pieces.h).
 */
#ifndef REPORT_STORE_STORE_PIECES_NAMES_H
#define REPORT_STORE_STORE_PIECES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_PIECES_FOLDERS 100
#define STORE_PIECES_DIGITS  16
#define STORE_PIECES_ADDRESS 1400 /* bytes of an address, and a NUL */

/* Whether an object's address is that of a piece: sets the length of its folder's address (with the
 * slash at the end), and the piece's offset. */
bool store_pieces_parse(const char *address, size_t *folder, uint64_t *at);

/* Whether an address is that of a piece of the key whose address its first `key` bytes are; or
 * begins the addresses of such pieces, as one that is listed. */
bool store_pieces_of(const char *address, size_t key);
bool store_pieces_prefix_of(const char *address, size_t key);

/* Writes the address of the number-th folder (from 1 on) of a key. -1: it is too long. */
int store_pieces_folder(const char *address, unsigned number, char out[STORE_PIECES_ADDRESS]);

/* Writes the address of the piece at an offset of a folder. -1: it is too long. */
int store_pieces_name(const char *folder, uint64_t at, char out[STORE_PIECES_ADDRESS]);

/* The length of the key's address if a folder's address (n bytes, with the slash) has one of the
 * suffixes, else 0. */
size_t store_pieces_key(const char *address, size_t n);

#endif
