/* Subset sums by meeting in the middle: sorted sums of both halves by merging, two-pointer counts, then a pruned search for a witness. */
#include "hem.h"

#define MOST_HALF 13

static uint64_t weights[2 * MOST_HALF];
static uint64_t *low_sums, *high_sums, *spare;
static uint64_t suffix[2 * MOST_HALF + 1];

/* All sums of subsets of `count` weights, ascending, in `sums`: every weight merges the list with itself moved up by that weight. */
static uint32_t all_sums(const uint64_t *items, uint32_t count, uint64_t *sums)
{
    uint32_t length = 1;
    sums[0] = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t plain = 0, moved = 0, out = 0;
        while (plain < length) {
            if (sums[plain] <= sums[moved] + items[k])
                spare[out++] = sums[plain++];
            else
                spare[out++] = sums[moved++] + items[k];
        }
        while (moved < length)
            spare[out++] = sums[moved++] + items[k];
        length = out;
        for (uint32_t i = 0; i < length; i++)
            sums[i] = spare[i];
    }
    return length;
}

/* Counts the pairs of low and high sums that miss `target` by at most `slack`, and keeps the nearest sum at or below it. */
static uint32_t meet(uint32_t low_count, uint32_t high_count, uint64_t target, uint64_t slack, uint64_t *nearest)
{
    uint32_t hits = 0, high = high_count;
    for (uint32_t low = 0; low < low_count && high > 0; low++) {
        while (high > 0 && low_sums[low] + high_sums[high - 1] > target)
            high--;
        if (high > 0) {
            uint64_t sum = low_sums[low] + high_sums[high - 1];
            if (sum + slack >= target)
                hits++;
            if (sum > *nearest)
                *nearest = sum;
        }
    }
    return hits;
}

/* Looks for a subset of the weights from `k` on with exactly this sum; 1 if found within the budget. */
static int witness(uint32_t k, uint32_t count, uint64_t rest, uint32_t *budget, uint32_t *chosen)
{
    if (rest == 0)
        return 1;
    if (k == count || rest > suffix[k] || *budget == 0)
        return 0;
    --*budget;
    if (weights[k] <= rest && witness(k + 1, count, rest - weights[k], budget, chosen)) {
        *chosen |= 1u << k;
        return 1;
    }
    return witness(k + 1, count, rest, budget, chosen);
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    low_sums = hem_alloc(sizeof(uint64_t) << MOST_HALF);
    high_sums = hem_alloc(sizeof(uint64_t) << MOST_HALF);
    spare = hem_alloc(sizeof(uint64_t) << MOST_HALF);
    int64_t work = hem_scaled(hem_between(170000, 430000), scale);
    uint32_t largest_half = hem_between(10, MOST_HALF), targets = hem_between(1, 5), width = hem_between(12, 36);

    hem_stage("rounds");
    while (work > 0) {
        uint32_t half = hem_between(9, largest_half), count = 2 * half;
        for (uint32_t k = 0; k < count; k++)
            weights[k] = 1 + ((uint64_t)hem_random() << 8 >> (40 - width));
        suffix[count] = 0;
        for (uint32_t k = count; k > 0; k--)
            suffix[k - 1] = suffix[k] + weights[k - 1];
        uint32_t low_count = all_sums(weights, half, low_sums);
        uint32_t high_count = all_sums(weights + half, half, high_sums);
        work -= 4 * (int64_t)low_count;
        for (uint32_t t = 0; t < targets; t++) {
            uint64_t target = (uint64_t)(hem_uniform() * (double)suffix[0]), nearest = 0;
            uint32_t budget = 1u << half, chosen = 0;
            hem_result(meet(low_count, high_count, target, target >> 12, &nearest));
            hem_result((uint64_t)witness(0, count, nearest, &budget, &chosen));
            hem_result(chosen ^ nearest);
            work -= 2 * (int64_t)low_count + ((1 << half) - (int64_t)budget);
        }
    }
}
