/* PageRank on a web-like graph with a skewed number of links per page, followed by the picking of the best pages. */
#include "hem.h"

static uint32_t page_count, link_count;
static uint32_t *first, *source, *fan_out;
static double *rank, *share;

/* A page that is often among the first ones: the minimum of `skew` uniform draws. */
static uint32_t popular_page(uint32_t skew)
{
    uint32_t best = hem_below(page_count);
    for (uint32_t i = 1; i < skew; i++) {
        uint32_t other = hem_below(page_count);
        if (other < best)
            best = other;
    }
    return best;
}

static void make_links(uint32_t mean, uint32_t skew)
{
    uint32_t next = 0;
    for (uint32_t page = 0; page < page_count; page++) {
        uint32_t links = hem_below(8) == 0 ? hem_below(6 * mean + 1) : hem_below(mean + 1);
        first[page] = next;
        for (uint32_t i = 0; i < links && next < link_count; i++) {
            source[next] = popular_page(skew);
            fan_out[source[next++]]++;
        }
    }
    first[page_count] = next;
}

/* One step of the iteration; returns how much the ranks changed. */
static double iterate(double damping)
{
    double lost = 0.0, change = 0.0;
    for (uint32_t page = 0; page < page_count; page++) {
        if (fan_out[page] == 0)
            lost += rank[page];
        else
            share[page] = rank[page] / fan_out[page];
    }
    double base = (1.0 - damping + damping * lost) / page_count;
    for (uint32_t page = 0; page < page_count; page++) {
        double sum = 0.0;
        for (uint32_t i = first[page]; i < first[page + 1]; i++)
            sum += share[source[i]];
        sum = base + damping * sum;
        change += sum > rank[page] ? sum - rank[page] : rank[page] - sum;
        rank[page] = sum;
    }
    return change;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    page_count = hem_scaled(hem_between(18000, 30000), scale);
    uint32_t mean = hem_between(3, 5), skew = hem_between(1, 3), iterations = hem_between(2, 3);
    link_count = page_count * (mean + 1);
    first = hem_alloc((page_count + 1) * sizeof *first);
    fan_out = hem_alloc(page_count * sizeof *fan_out);
    source = hem_alloc(link_count * sizeof *source);
    rank = hem_alloc(page_count * sizeof *rank);
    share = hem_alloc(page_count * sizeof *share);

    hem_stage("generate");
    make_links(mean, skew);
    for (uint32_t page = 0; page < page_count; page++)
        rank[page] = 1.0 / page_count;
    hem_stage("iterate");
    for (uint32_t i = 0; i < iterations; i++)
        hem_result((uint64_t)(iterate(0.85) * 1e12));

    hem_stage("best");
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t best = 0;
        for (uint32_t page = 1; page < page_count; page++)
            if (rank[page] > rank[best])
                best = page;
        hem_result((uint64_t)(rank[best] * 1e12));
        rank[best] = 0.0;
    }
}
