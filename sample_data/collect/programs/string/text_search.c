/* Substring search three ways (naive, Knuth-Morris-Pratt, Horspool) in a text with a seed-dependent alphabet and repetition. */
#include "hem.h"

#define LONGEST 64

static uint8_t *text;
static uint32_t length;

static void make_text(uint32_t alphabet, uint32_t repeats)
{
    for (uint32_t i = 0; i < length;) {
        if (i > 256 && hem_below(1000) < repeats) {
            uint32_t run = hem_between(8, 200), back = hem_between(1, 256);
            for (; run > 0 && i < length; run--, i++)
                text[i] = text[i - back];
        } else {
            text[i++] = (uint8_t)('a' + hem_below(alphabet));
        }
    }
}

static uint32_t naive_search(const uint8_t *pattern, uint32_t size)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i + size <= length; i++) {
        uint32_t k = 0;
        while (k < size && text[i + k] == pattern[k])
            k++;
        found += k == size;
    }
    return found;
}

static uint32_t kmp_search(const uint8_t *pattern, uint32_t size, uint32_t *border)
{
    uint32_t found = 0, k = 0;
    border[0] = border[1] = 0;
    for (uint32_t i = 1; i < size; i++) {
        while (k > 0 && pattern[i] != pattern[k])
            k = border[k];
        if (pattern[i] == pattern[k])
            k++;
        border[i + 1] = k;
    }
    k = 0;
    for (uint32_t i = 0; i < length; i++) {
        while (k > 0 && text[i] != pattern[k])
            k = border[k];
        if (text[i] == pattern[k])
            k++;
        if (k == size) {
            found++;
            k = border[k];
        }
    }
    return found;
}

static uint32_t horspool_search(const uint8_t *pattern, uint32_t size, uint32_t *shift)
{
    uint32_t found = 0;
    for (uint32_t c = 0; c < 256; c++)
        shift[c] = size;
    for (uint32_t i = 0; i + 1 < size; i++)
        shift[pattern[i]] = size - 1 - i;
    for (uint32_t i = 0; i + size <= length; i += shift[text[i + size - 1]]) {
        uint32_t k = size;
        while (k > 0 && text[i + k - 1] == pattern[k - 1])
            k--;
        found += k == 0;
    }
    return found;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    length = hem_between(10000, 40000);
    uint32_t patterns = hem_scaled(hem_between(100000, 170000), scale) / length + 1;
    uint32_t alphabet = hem_between(4, 26), repeats = hem_below(30);
    text = hem_alloc(length);
    uint8_t *pattern = hem_alloc(LONGEST);
    uint32_t *border = hem_alloc((LONGEST + 1) * sizeof *border), *shift = hem_alloc(256 * sizeof *shift);

    hem_stage("text");
    make_text(alphabet, repeats);
    for (uint32_t p = 0; p < patterns; p++) {
        uint32_t size = hem_between(3, LONGEST), start = hem_below(length - size);
        for (uint32_t i = 0; i < size; i++)
            pattern[i] = text[start + i];
        if (hem_below(2))
            pattern[hem_below(size)] = 'a';
        hem_stage("naive");
        hem_result(naive_search(pattern, size));
        hem_stage("kmp");
        hem_result(kmp_search(pattern, size, border));
        hem_stage("horspool");
        hem_result(horspool_search(pattern, size, shift));
    }
}
