/* Packs a file, seals it, opens it again and compares.
 *
 * Stages: make_file (stretches of text, runs, records and noise), compress (matches through hash chains: bursty, by the stretch),
 * code_bits (an adaptive binary coder, hard branches), encrypt (a cipher of adds, rotations and xors: smooth arithmetic), decrypt (the
 * same again), decode_bits, expand (copies of matches, store-heavy), verify (a checksum, bit by bit).
 */
#include "hem.h"

#define HASHES 16384u
#define SHORTEST 4u
#define LONGEST 130u

static uint8_t *file, *packed, *coded, *loose, *opened, *restored;
static uint32_t *chain_head, *chain_next;
static uint32_t file_bytes, packed_bytes, coded_bytes, block_key[8];
static uint16_t odds[256];

static void make_file(uint32_t bytes)
{
    while (file_bytes < bytes) {
        uint32_t kind = hem_below(4), left = hem_between(200, 1600), tone = hem_random();
        for (uint32_t i = 0; i < left && file_bytes < bytes; i++) {
            uint32_t c;
            switch (kind) {
            case 0: c = 'a' + hem_below(hem_between(1, 26)); break; /* text */
            case 1: c = (i & 63) ? tone & 255 : hem_below(256); break; /* runs */
            case 2: c = (i & 15) < 11 ? (tone >> (i & 15)) & 255 : i >> 4 & 255; break; /* records */
            default: c = hem_below(256); break; /* noise */
            }
            file[file_bytes++] = (uint8_t)c;
        }
    }
}

static uint32_t match_length(uint32_t at, uint32_t earlier)
{
    uint32_t length = 0;
    while (length < LONGEST && at + length < file_bytes && file[at + length] == file[earlier + length])
        length++;
    return length;
}

static uint32_t hash_at(uint32_t at)
{
    uint32_t four = file[at] | (uint32_t)file[at + 1] << 8 | (uint32_t)file[at + 2] << 16 | (uint32_t)file[at + 3] << 24;
    return four * 2654435761u >> 18;
}

/* A literal is 0 and the byte; a match is its length and two bytes of distance. */
static void compress(uint32_t effort)
{
    for (uint32_t at = 0; at < file_bytes;) {
        uint32_t best = 0, distance = 0;
        if (at + SHORTEST <= file_bytes) {
            uint32_t hash = hash_at(at), earlier = chain_head[hash];
            for (uint32_t tries = effort; earlier && at - (earlier - 1) < 65536 && tries > 0; tries--) {
                uint32_t length = match_length(at, earlier - 1);
                if (length > best) {
                    best = length;
                    distance = at - (earlier - 1);
                }
                if (length == LONGEST)
                    break;
                earlier = chain_next[earlier - 1];
            }
            chain_next[at] = chain_head[hash];
            chain_head[hash] = at + 1;
        }
        if (best < SHORTEST) {
            packed[packed_bytes++] = 0;
            packed[packed_bytes++] = file[at++];
        } else {
            packed[packed_bytes++] = (uint8_t)best;
            packed[packed_bytes++] = (uint8_t)distance;
            packed[packed_bytes++] = (uint8_t)(distance >> 8);
            at += best;
        }
    }
}

/* Adaptive binary coding of the upper half of the packed bytes, bit by bit, with the bits before it as the context; the lower halves,
 * which are close to noise, are left loose. */
static void code_bits(void)
{
    uint32_t low = 0, high = ~0u;
    for (uint32_t i = 0; i < 256; i++)
        odds[i] = 32768;
    for (uint32_t i = 0; i < packed_bytes; i++) {
        loose[i] = packed[i] & 15;
        for (uint32_t context = 1, k = 8; k-- > 4;) {
            uint32_t bit = packed[i] >> k & 1, middle = low + (uint32_t)((uint64_t)(high - low) * odds[context] >> 16);
            if (bit) {
                high = middle;
                odds[context] = (uint16_t)(odds[context] + ((65535 - odds[context]) >> 5));
            } else {
                low = middle + 1;
                odds[context] = (uint16_t)(odds[context] - (odds[context] >> 5));
            }
            context = (context * 2 + bit) & 255;
            for (; (low ^ high) >> 24 == 0; low <<= 8, high = high << 8 | 255)
                coded[coded_bytes++] = (uint8_t)(high >> 24);
        }
    }
    for (uint32_t k = 0; k < 4; k++, low <<= 8)
        coded[coded_bytes++] = (uint8_t)(low >> 24);
}

static void decode_bits(void)
{
    uint32_t low = 0, high = ~0u, window = 0, at = 0;
    for (uint32_t i = 0; i < 256; i++)
        odds[i] = 32768;
    for (; at < 4; at++)
        window = window << 8 | coded[at];
    for (uint32_t i = 0; i < packed_bytes; i++) {
        uint32_t context = 1, byte = 0;
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t middle = low + (uint32_t)((uint64_t)(high - low) * odds[context] >> 16), bit = window <= middle;
            if (bit) {
                high = middle;
                odds[context] = (uint16_t)(odds[context] + ((65535 - odds[context]) >> 5));
            } else {
                low = middle + 1;
                odds[context] = (uint16_t)(odds[context] - (odds[context] >> 5));
            }
            byte = byte * 2 + bit;
            context = (context * 2 + bit) & 255;
            for (; (low ^ high) >> 24 == 0; low <<= 8, high = high << 8 | 255)
                window = window << 8 | coded[at++];
        }
        opened[i] = (uint8_t)(byte << 4 | loose[i]);
    }
}

/* Adds a key stream to (or takes it from) the coded bytes: 16 bytes at a time, `rounds` of mixing each. */
static void cipher(uint32_t rounds)
{
    for (uint32_t at = 0; at < coded_bytes; at += 16) {
        uint32_t a = block_key[0] + at, b = block_key[1], c = block_key[2], d = block_key[3] ^ at;
        for (uint32_t round = 0; round < rounds; round++) {
            a += b; d ^= a; d = d << 16 | d >> 16;
            c += d; b ^= c; b = b << 12 | b >> 20;
            a += b; d ^= a; d = d << 8 | d >> 24;
            c += d; b ^= c; b = b << 7 | b >> 25;
            a += block_key[round & 7];
        }
        uint32_t stream[4] = {a, b, c, d};
        for (uint32_t k = 0; k < 16; k++)
            coded[at + k] ^= (uint8_t)(stream[k / 4] >> k % 4 * 8);
    }
}

static uint32_t expand(void)
{
    uint32_t to = 0;
    for (uint32_t at = 0; at < packed_bytes;) {
        uint32_t length = opened[at++];
        if (length == 0) {
            restored[to++] = opened[at++];
            continue;
        }
        uint32_t distance = opened[at] | (uint32_t)opened[at + 1] << 8;
        at += 2;
        for (; length > 0; length--, to++)
            restored[to] = restored[to - distance];
    }
    return to;
}

static uint32_t verify(uint32_t length)
{
    uint32_t sum = ~0u, wrong = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum ^= restored[i];
        for (uint32_t k = 0; k < 8; k++)
            sum = sum >> 1 ^ (0xEDB88320u & (0u - (sum & 1)));
        if (restored[i] != file[i])
            wrong++;
    }
    return wrong ? wrong : sum;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t bytes = hem_scaled(hem_between(40000, 54000), scale) + 64, rounds = hem_between(105, 165);
    uint8_t **buffers[] = {&file, &packed, &coded, &loose, &opened, &restored};
    for (uint32_t i = 0; i < 6; i++)
        *buffers[i] = hem_alloc(3 * bytes);
    chain_head = hem_alloc(HASHES * sizeof *chain_head);
    chain_next = hem_alloc(bytes * sizeof *chain_next);
    for (uint32_t i = 0; i < 8; i++)
        block_key[i] = hem_random();

    hem_stage("make_file");
    make_file(bytes);
    hem_stage("compress");
    compress(hem_between(9, 16));
    hem_stage("code_bits");
    code_bits();
    hem_stage("encrypt");
    cipher(rounds);
    hem_stage("decrypt");
    cipher(rounds);
    hem_stage("decode_bits");
    decode_bits();
    hem_stage("expand");
    uint32_t length = expand();
    hem_stage("verify");
    hem_result(verify(length));
    hem_result(packed_bytes);
    hem_result(coded_bytes);
    hem_result(length == file_bytes);
}
