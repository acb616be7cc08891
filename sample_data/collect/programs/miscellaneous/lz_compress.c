/* An LZ77-like compressor with hash chains and its decompressor, on records, text-like runs or noise; checks the round trip. */
#include "hem.h"

#define WINDOW 32768u
#define SHORTEST 4u
#define LONGEST 130u
#define BUCKETS 8192u

static uint8_t *plain, *packed, *unpacked;
static uint32_t *newest, *older; /* chains of earlier positions + 1 with the same hash */

static void make_input(uint32_t length, uint32_t copies, uint32_t alphabet)
{
    for (uint32_t i = 0; i < length;) {
        if (i > 64 && hem_below(100) < copies) {
            uint32_t back = hem_between(1, i < WINDOW ? i : WINDOW), size = hem_between(4, 60);
            for (; size > 0 && i < length; size--, i++)
                plain[i] = plain[i - back];
        } else {
            plain[i++] = (uint8_t)hem_below(alphabet);
        }
    }
}

static uint32_t hash(uint32_t at)
{
    uint32_t four = plain[at] | (uint32_t)plain[at + 1] << 8 | (uint32_t)plain[at + 2] << 16 | (uint32_t)plain[at + 3] << 24;
    return (four * 2654435761u) >> 19;
}

/* Writes literals as 0, byte and matches as length, two bytes of distance; returns the packed size. */
static uint32_t compress(uint32_t length, uint32_t effort)
{
    uint32_t size = 0, indexed = 0;
    for (uint32_t i = 0; i < BUCKETS; i++)
        newest[i] = 0;
    for (uint32_t at = 0; at < length;) {
        uint32_t best = 0, distance = 0, limit = length - at < LONGEST ? length - at : LONGEST;
        if (limit >= SHORTEST) {
            uint32_t candidate = newest[hash(at)];
            for (uint32_t tries = effort; tries > 0 && candidate > 0 && at - (candidate - 1) < WINDOW; tries--) {
                uint32_t k = 0;
                while (k < limit && plain[candidate - 1 + k] == plain[at + k])
                    k++;
                if (k > best) {
                    best = k;
                    distance = at - (candidate - 1);
                }
                candidate = older[(candidate - 1) % WINDOW];
            }
        }
        if (best >= SHORTEST) {
            packed[size++] = (uint8_t)best;
            packed[size++] = (uint8_t)distance;
            packed[size++] = (uint8_t)(distance >> 8);
        } else {
            best = 1;
            packed[size++] = 0;
            packed[size++] = plain[at];
        }
        for (at += best; indexed < at && indexed + SHORTEST <= length; indexed++) {
            older[indexed % WINDOW] = newest[hash(indexed)];
            newest[hash(indexed)] = indexed + 1;
        }
    }
    return size;
}

static uint32_t decompress(uint32_t size)
{
    uint32_t length = 0;
    for (uint32_t at = 0; at < size;) {
        uint32_t run = packed[at];
        if (run == 0) {
            unpacked[length++] = packed[at + 1];
            at += 2;
            continue;
        }
        uint32_t distance = packed[at + 1] | (uint32_t)packed[at + 2] << 8;
        for (; run > 0; run--, length++)
            unpacked[length] = unpacked[length - distance];
        at += 3;
    }
    return length;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t most = hem_between(16000, 60000), budget = hem_scaled(hem_between(42000, 78000), scale), length;
    plain = hem_alloc(most);
    packed = hem_alloc(2 * (size_t)most);
    unpacked = hem_alloc(most);
    newest = hem_alloc(BUCKETS * sizeof *newest);
    older = hem_alloc(WINDOW * sizeof *older);
    for (uint32_t left = budget; left > 0; left -= length) {
        uint32_t size, wrong = 0;
        length = hem_between(most / 4, most);
        length = length < left ? length : left;
        hem_stage("input");
        make_input(length, hem_below(60), hem_between(6, 256));
        hem_stage("compress");
        size = compress(length, hem_between(1, 10));
        hem_stage("decompress");
        wrong = decompress(size) != length;
        for (uint32_t i = 0; i < length; i++)
            wrong += plain[i] != unpacked[i];
        hem_result(size);
        hem_result(wrong);
    }
}
