/* Pairs of letter sequences aligned: full edit-distance tables with the way back through them, then a narrow band that may give up. */
#include "hem.h"

#define MOST 420

static uint8_t first[MOST], second[2 * MOST];
static uint32_t first_length, second_length;
static uint16_t *table; /* (MOST + 1) rows of (2 * MOST + 1) */

static uint16_t *row_of(uint32_t i) { return table + (size_t)i * (2 * MOST + 1); }

/* A random sequence and a copy of it with some letters changed, left out and put in. */
static void make_pair(uint32_t letters, uint32_t percent_changed)
{
    first_length = hem_between(MOST / 4, MOST);
    second_length = 0;
    for (uint32_t i = 0; i < first_length; i++) {
        first[i] = (uint8_t)hem_below(letters);
        uint32_t change = hem_below(100) < percent_changed ? 1 + hem_below(3) : 0;
        if (change != 1)
            second[second_length++] = change ? (uint8_t)hem_below(letters) : first[i];
        if (change == 3)
            second[second_length++] = (uint8_t)hem_below(letters);
    }
}

static uint32_t full_table(void)
{
    for (uint32_t j = 0; j <= second_length; j++)
        table[j] = (uint16_t)j;
    for (uint32_t i = 1; i <= first_length; i++) {
        uint16_t *row = row_of(i);
        const uint16_t *above = row_of(i - 1);
        row[0] = (uint16_t)i;
        for (uint32_t j = 1; j <= second_length; j++) {
            uint32_t best = above[j - 1] + (first[i - 1] != second[j - 1]);
            if (above[j] + 1u < best)
                best = above[j] + 1u;
            if (row[j - 1] + 1u < best)
                best = row[j - 1] + 1u;
            row[j] = (uint16_t)best;
        }
    }
    return row_of(first_length)[second_length];
}

static uint64_t way_back(void)
{
    uint64_t hash = 0;
    for (uint32_t i = first_length, j = second_length; i > 0 || j > 0;) {
        if (i > 0 && j > 0 && row_of(i)[j] == row_of(i - 1)[j - 1] + (first[i - 1] != second[j - 1])) {
            i--, j--;
            hash = hash * 3;
        } else if (i > 0 && row_of(i)[j] == row_of(i - 1)[j] + 1) {
            i--;
            hash = hash * 3 + 1;
        } else {
            j--;
            hash = hash * 3 + 2;
        }
    }
    return hash;
}

/* The distance along a band of 2 * `reach` + 1 diagonals; gives up and returns UINT32_MAX when all of a row exceeds `limit`. */
static uint32_t banded(uint32_t reach, uint32_t limit, uint32_t *line)
{
    const uint32_t width = 2 * reach + 1, far = 1u << 20;
    for (uint32_t d = 0; d <= width; d++) /* line[d] belongs to j = i + d - reach */
        line[d] = d >= reach && d < width ? d - reach : far;
    for (uint32_t i = 1; i <= first_length; i++) {
        uint32_t left = far, least = far;
        for (uint32_t d = 0; d < width; d++) {
            if (i + d < reach || i + d - reach > second_length) {
                line[d] = left = far;
                continue;
            }
            uint32_t j = i + d - reach, best = line[d + 1] + 1;
            if (j > 0 && line[d] + (first[i - 1] != second[j - 1]) < best)
                best = line[d] + (first[i - 1] != second[j - 1]);
            if (left + 1 < best)
                best = left + 1;
            line[d] = left = best;
            if (best < least)
                least = best;
        }
        if (least > limit)
            return UINT32_MAX;
    }
    return second_length + reach >= first_length && second_length - first_length + reach < width
               ? line[second_length + reach - first_length] : UINT32_MAX;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    table = hem_alloc(sizeof(uint16_t) * (MOST + 1) * (2 * MOST + 1));
    uint32_t letters = hem_between(2, 26), changed = hem_below(90), reach = hem_between(4, 40), line[2 * 40 + 2];
    int64_t cells = hem_scaled(hem_between(40000, 150000), scale);
    hem_stage("full");
    while (cells > 0) {
        make_pair(letters, changed);
        hem_result(full_table());
        hem_result(way_back());
        cells -= (int64_t)first_length * second_length;
    }
    hem_stage("banded");
    cells = hem_scaled(hem_between(40000, 140000), scale);
    while (cells > 0) {
        make_pair(letters, changed / 3);
        hem_result(banded(reach, first_length / 4, line));
        cells -= (int64_t)first_length * (2 * reach + 1) / 2 + first_length;
    }
}
