/* 0/1 knapsack three ways: a table over capacities with the choices recorded, coin change over the same range, branch and bound. */
#include "hem.h"

#define MOST_ITEMS 64

static uint32_t item_count, weight[MOST_ITEMS], value[MOST_ITEMS];
static uint32_t capacity;
static uint32_t *best;
static uint8_t *chosen; /* item by item, one byte for a capacity */

static void fill_table(void)
{
    for (uint32_t k = 0; k < item_count; k++) {
        uint8_t *mark = chosen + (size_t)k * (capacity + 1);
        for (uint32_t room = capacity; room >= weight[k]; room--) {
            uint32_t with = best[room - weight[k]] + value[k];
            if (with > best[room]) {
                best[room] = with;
                mark[room] = 1;
            }
        }
    }
}

static uint32_t selection(void)
{
    uint32_t room = capacity, weighed = 0;
    for (uint32_t k = item_count; k-- > 0;)
        if (chosen[(size_t)k * (capacity + 1) + room]) {
            room -= weight[k];
            weighed += weight[k];
        }
    return weighed;
}

static void count_change(uint32_t *ways, uint32_t coins)
{
    ways[0] = 1;
    for (uint32_t k = 0; k < coins; k++)
        for (uint32_t sum = weight[k]; sum <= capacity; sum++)
            ways[sum] += ways[sum - weight[k]];
}

static void sort_by_density(void)
{
    for (uint32_t i = 1; i < item_count; i++) {
        uint32_t w = weight[i], v = value[i], at = i;
        for (; at > 0 && (uint64_t)v * weight[at - 1] > (uint64_t)value[at - 1] * w; at--) {
            weight[at] = weight[at - 1];
            value[at] = value[at - 1];
        }
        weight[at] = w;
        value[at] = v;
    }
}

static uint32_t found, budget;

/* Tries item `k` in and out; whole items and a part of the next one give the bound. */
static void branch(uint32_t k, uint32_t room, uint32_t worth)
{
    if (worth > found)
        found = worth;
    if (k == item_count || budget == 0)
        return;
    budget--;
    uint32_t left = room, bound = worth, i = k;
    while (i < item_count && weight[i] <= left) {
        left -= weight[i];
        bound += value[i++];
    }
    if (i < item_count)
        bound += (uint32_t)((uint64_t)left * value[i] / weight[i]);
    if (bound <= found)
        return;
    if (weight[k] <= room)
        branch(k + 1, room - weight[k], worth + value[k]);
    branch(k + 1, room, worth);
}

static void make_items(uint32_t heaviest, uint32_t correlated)
{
    for (uint32_t k = 0; k < item_count; k++) {
        weight[k] = hem_between(1, heaviest);
        value[k] = correlated ? weight[k] + hem_below(heaviest / 8 + 1) : hem_between(1, heaviest);
    }
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    item_count = hem_between(20, 48);
    capacity = hem_scaled(hem_between(6000, 11000), scale);
    best = hem_alloc((capacity + 1) * sizeof *best);
    chosen = hem_alloc((size_t)item_count * (capacity + 1));
    uint32_t *ways = hem_alloc((capacity + 1) * sizeof *ways);
    uint32_t correlated = hem_below(2);

    make_items(capacity / hem_between(3, 12) + 1, correlated);
    hem_stage("table");
    fill_table();
    hem_result(best[capacity]);
    hem_result(selection());
    hem_stage("change");
    count_change(ways, hem_between(8, 20));
    hem_result(ways[capacity]);

    hem_stage("branch");
    uint32_t left = hem_scaled(hem_between(8000, 30000), scale);
    while (left > 0) {
        item_count = hem_between(12, 40);
        make_items(hem_between(20, 500), hem_below(2));
        sort_by_density();
        uint32_t share = left < 2500 ? left : 2500;
        budget = share;
        found = 0;
        branch(0, item_count * 60, 0);
        hem_result(found);
        left -= share - budget;
    }
}
