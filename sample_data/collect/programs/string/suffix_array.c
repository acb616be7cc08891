/* A suffix array by prefix doubling with counting sorts, then binary searches for words of the text in it. */
#include "hem.h"

static uint8_t *text;
static uint32_t n, *order, *rank, *sorted, *counts, *fresh;

/* One stable counting sort of `sorted` (suffixes ordered by their second half) by `rank` into `order`. */
static void sort_by_rank(uint32_t ranks)
{
    for (uint32_t r = 0; r <= ranks; r++)
        counts[r] = 0;
    for (uint32_t i = 0; i < n; i++)
        counts[rank[i] + 1]++;
    for (uint32_t r = 1; r <= ranks; r++)
        counts[r] += counts[r - 1];
    for (uint32_t i = 0; i < n; i++)
        order[counts[rank[sorted[i]]]++] = sorted[i];
}

static uint32_t second_rank(uint32_t suffix, uint32_t step)
{
    return suffix + step < n ? rank[suffix + step] + 1 : 0;
}

/* Doubles the compared length until all suffixes differ; returns the number of rounds. */
static uint32_t build(void)
{
    uint32_t ranks = 256, rounds = 0;
    for (uint32_t i = 0; i < n; i++) {
        rank[i] = text[i];
        sorted[i] = i;
    }
    sort_by_rank(ranks);
    for (uint32_t step = 1; rounds < 20; step *= 2, rounds++) {
        uint32_t filled = 0;
        for (uint32_t i = n > step ? n - step : 0; i < n; i++)
            sorted[filled++] = i;
        for (uint32_t i = 0; i < n; i++)
            if (order[i] >= step)
                sorted[filled++] = order[i] - step;
        sort_by_rank(ranks);
        ranks = 1;
        fresh[order[0]] = 0;
        for (uint32_t i = 1; i < n; i++) {
            uint32_t a = order[i - 1], b = order[i];
            if (rank[a] != rank[b] || second_rank(a, step) != second_rank(b, step))
                ranks++;
            fresh[b] = ranks - 1;
        }
        uint32_t *kept = rank;
        rank = fresh;
        fresh = kept;
        if (ranks == n)
            break;
    }
    return rounds;
}

/* How many suffixes come before the `size` letters at `word`. */
static uint32_t lower_bound(uint32_t word, uint32_t size)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = (low + high) / 2, suffix = order[middle], k = 0;
        while (k < size && suffix + k < n && text[suffix + k] == text[word + k])
            k++;
        if (k < size && (suffix + k >= n || text[suffix + k] < text[word + k]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    n = hem_scaled(hem_between(6000, 8500), scale) + 100;
    uint32_t alphabet = hem_between(2, 40), period = hem_between(20, 400), noise = hem_between(5, 400);
    uint32_t queries = hem_scaled(hem_between(1000, 5000), scale);
    text = hem_alloc(n);
    order = hem_alloc(n * sizeof *order);
    rank = hem_alloc(n * sizeof *rank);
    sorted = hem_alloc(n * sizeof *sorted);
    fresh = hem_alloc(n * sizeof *fresh);
    counts = hem_alloc((n + 300) * sizeof *counts);

    hem_stage("text");
    for (uint32_t i = 0; i < n; i++)
        text[i] = i < period || hem_below(1000) < noise ? (uint8_t)(40 + hem_below(alphabet)) : text[i - period];
    hem_stage("build");
    hem_result(build());
    hem_stage("query");
    for (uint32_t q = 0; q < queries; q++)
        hem_result(lower_bound(hem_below(n - 32), hem_between(2, 32)));
}
