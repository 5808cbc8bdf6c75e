/* sha256: the examples of NIST, and lengths around the ends of blocks. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "tests/unit/unit.h"

static void digest(const void *p, size_t n, size_t step, char hex[SHA256_HEX])
{
	struct sha256 s;

	sha256_begin(&s);
	for (size_t at = 0; at < n; at += step)
		sha256_add(&s, (const char *)p + at, n - at < step ? n - at : step);
	sha256_end(&s, hex);
}

TEST(examples)
{
	static const struct {
		const char *text, *hex;
	} cases[] = {
	    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
	     "klmnopqrlmnopqrsmnopqrstnopqrstu",
	     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	};
	char hex[SHA256_HEX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		digest(cases[i].text, strlen(cases[i].text), 1 << 20, hex);
		assert_string_equal(hex, cases[i].hex);
	}
}

/* n times the letter a, whole and in pieces of all kinds. */
TEST(lengths)
{
	static const struct {
		size_t n;
		const char *hex;
	} cases[] = {
	    {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	    {1, "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
	    {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
	    {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
	    {57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"},
	    {58, "d5c039b748aa64665782974ec3dc3025c042edf54dcdc2b5de31385b094cb678"},
	    {59, "111bb261277afd65f0744b247cd3e47d386d71563d0ed995517807d5ebd4fba3"},
	    {60, "11ee391211c6256460b6ed375957fadd8061cafbb31daf967db875aebd5aaad4"},
	    {61, "35d5fc17cfbbadd00f5e710ada39f194c5ad7c766ad67072245f1fad45f0f530"},
	    {62, "f506898cc7c2e092f9eb9fadae7ba50383f5b46a2a4fe5597dbb553a78981268"},
	    {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
	    {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
	    {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
	    {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
	    {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
	    {127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"},
	    {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
	    {129, "c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"},
	    {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	};
	static const size_t steps[] = {1 << 20, 1, 3, 55, 63, 64, 65, 128, 1000};
	char hex[SHA256_HEX], *text = malloc(1000000);

	assert_non_null(text);
	memset(text, 'a', 1000000);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
			digest(text, cases[i].n, steps[k], hex);
			assert_string_equal(hex, cases[i].hex);
		}
	free(text);
}

/* The bytes of high value, and the order of the length's bytes. */
TEST(all_bytes)
{
	unsigned char bytes[256];
	char hex[SHA256_HEX];

	for (int i = 0; i < 256; i++)
		bytes[i] = (unsigned char)i;
	digest(bytes, sizeof bytes, 100, hex);
	assert_string_equal(hex,
	                    "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880");
}
