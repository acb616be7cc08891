/* Longest rising subsequences by binary search with the way back, the best order of matrix products, and heaviest rising runs. */
#include "hem.h"

#define MOST_CHAIN 64

static uint32_t *numbers, *tails, *before;
static uint32_t length;

/* Numbers with a trend, noise around it and some numbers from anywhere. */
static void make_numbers(uint32_t trend, uint32_t noise, uint32_t percent_wild)
{
    for (uint32_t i = 0; i < length; i++)
        if (hem_below(100) < percent_wild)
            numbers[i] = hem_below(length * (trend + 1));
        else
            numbers[i] = i * trend + hem_below(noise);
}

static uint32_t rising(uint64_t *hash)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t low = 0, high = found;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (numbers[tails[middle]] < numbers[i])
                low = middle + 1;
            else
                high = middle;
        }
        tails[low] = i;
        before[i] = low ? tails[low - 1] : UINT32_MAX;
        if (low == found)
            found++;
    }
    for (uint32_t at = found ? tails[found - 1] : UINT32_MAX; at != UINT32_MAX; at = before[at])
        *hash = *hash * 31 + numbers[at];
    return found;
}

/* The heaviest rising subsequence that ends at each number, among steps of at most `reach` places. */
static uint64_t heaviest(uint32_t reach, uint64_t *weight)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint64_t best = 0;
        for (uint32_t j = i > reach ? i - reach : 0; j < i; j++)
            if (numbers[j] < numbers[i] && weight[j] > best)
                best = weight[j];
        weight[i] = best + (numbers[i] & 255);
        if (weight[i] > most)
            most = weight[i];
    }
    return most;
}

static uint64_t cost[MOST_CHAIN][MOST_CHAIN];
static uint8_t cut[MOST_CHAIN][MOST_CHAIN];

static void chain(uint32_t count, const uint32_t *side)
{
    for (uint32_t i = 0; i < count; i++)
        cost[i][i] = 0;
    for (uint32_t span = 1; span < count; span++)
        for (uint32_t i = 0; i + span < count; i++) {
            uint32_t j = i + span;
            cost[i][j] = UINT64_MAX;
            for (uint32_t k = i; k < j; k++) {
                uint64_t now = cost[i][k] + cost[k + 1][j] + (uint64_t)side[i] * side[k + 1] * side[j + 1];
                if (now < cost[i][j]) {
                    cost[i][j] = now;
                    cut[i][j] = (uint8_t)k;
                }
            }
        }
}

static uint32_t depth(uint32_t i, uint32_t j)
{
    if (i == j)
        return 0;
    uint32_t a = depth(i, cut[i][j]), b = depth(cut[i][j] + 1u, j);
    return 1 + (a > b ? a : b);
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    length = hem_scaled(hem_between(8000, 18000), scale);
    numbers = hem_alloc(length * sizeof *numbers);
    tails = hem_alloc(length * sizeof *tails);
    before = hem_alloc(length * sizeof *before);
    uint64_t *weight = hem_alloc(length * sizeof *weight), hash = 0;

    hem_stage("rising");
    make_numbers(hem_below(20), hem_between(50, 50000), hem_below(60));
    hem_result(rising(&hash));
    hem_result(hash);
    hem_stage("heaviest");
    hem_result(heaviest(hem_between(4, 24), weight));

    hem_stage("chain");
    int64_t work = hem_scaled(hem_between(80000, 220000), scale);
    uint32_t side[MOST_CHAIN + 1], longest = hem_between(12, MOST_CHAIN);
    while (work > 0) {
        uint32_t count = hem_between(8, longest);
        for (uint32_t i = 0; i <= count; i++)
            side[i] = hem_between(2, 400);
        chain(count, side);
        hem_result(cost[0][count - 1] + depth(0, count - 1));
        work -= (int64_t)count * count * count / 6 + count;
    }
}
