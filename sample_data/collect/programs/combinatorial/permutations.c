/* Small orderings tried exhaustively: Heap's algorithm and lexical order, each ordering judged by one of five scoring functions. */
#include "hem.h"

#define MOST 9

static uint32_t length;
static uint32_t order[MOST], best_order[MOST];
static uint32_t cost[MOST][MOST], duration[MOST], due[MOST];

static uint32_t score_tour(void)
{
    uint32_t sum = cost[order[length - 1]][order[0]];
    for (uint32_t i = 1; i < length; i++)
        sum += cost[order[i - 1]][order[i]];
    return sum;
}

static uint32_t score_lateness(void)
{
    uint32_t now = 0, late = 0;
    for (uint32_t i = 0; i < length; i++) {
        now += duration[order[i]];
        if (now > due[order[i]])
            late += now - due[order[i]];
    }
    return late;
}

static uint32_t score_inversions(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        for (uint32_t j = i + 1; j < length; j++)
            if (order[i] > order[j])
                sum += cost[order[j]][order[i]];
    return sum;
}

static uint32_t score_cycles(void)
{
    uint32_t seen = 0, cycles = 0;
    for (uint32_t i = 0; i < length; i++)
        if (!(seen >> i & 1)) {
            cycles++;
            for (uint32_t at = i; !(seen >> at & 1); at = order[at])
                seen |= 1u << at;
        }
    return cycles * 1000 + cost[order[0]][order[1]];
}

static uint32_t score_assignment(void)
{
    uint32_t worst = 0;
    for (uint32_t i = 0; i < length; i++)
        if (cost[i][order[i]] * duration[i] > worst)
            worst = cost[i][order[i]] * duration[i];
    return worst;
}

static uint32_t (*const scorers[])(void) = {score_tour, score_lateness, score_inversions, score_cycles, score_assignment};
static const uint32_t effort[] = {3, 3, 12, 7, 4}; /* of each of them, roughly */

static void swap(uint32_t i, uint32_t j)
{
    uint32_t kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

/* Heap's algorithm, without recursion; `least` gets the best score of up to `limit` orderings. */
static uint32_t by_heap(uint32_t (*score)(void), uint32_t limit, uint32_t *least)
{
    uint32_t counter[MOST], tried = 1;
    for (uint32_t i = 0; i < length; i++)
        counter[i] = 0;
    *least = score();
    for (uint32_t i = 1; i < length && tried < limit;) {
        if (counter[i] < i) {
            swap(i & 1 ? counter[i] : 0, i);
            uint32_t now = score();
            if (now < *least)
                *least = now;
            tried++;
            counter[i]++;
            i = 1;
        } else
            counter[i++] = 0;
    }
    return tried;
}

static int next_lexical(void)
{
    uint32_t i = length - 1, j = length - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return 0;
    while (order[j] < order[i - 1])
        j--;
    swap(i - 1, j);
    for (j = length - 1; i < j; i++, j--)
        swap(i, j);
    return 1;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t shift = hem_below(5), favoured = hem_below(101);
    for (uint32_t stage = 0; stage < 2; stage++) {
        hem_stage(stage ? "lexical" : "heap");
        int64_t left = hem_scaled(hem_between(60000, 140000), scale);
        while (left > 0) {
            length = hem_between(5, MOST);
            for (uint32_t i = 0; i < length; i++) {
                order[i] = i;
                duration[i] = hem_between(1, 20);
                due[i] = hem_between(5, 20 * length);
                for (uint32_t j = 0; j < length; j++)
                    cost[i][j] = hem_between(1, 99);
            }
            uint32_t limit = left < 5400 ? 1 + (uint32_t)left / 6 : 900, tried = 0, least = UINT32_MAX;
            if (stage == 0) {
                uint32_t judge = hem_below(100) < favoured ? shift : hem_below(5);
                tried = by_heap(scorers[judge], limit, &least);
                left -= (int64_t)tried * (effort[judge] + 2);
            } else
                do { /* a different judge for every ordering: the sum of two criteria */
                    uint32_t judge = hem_below(100) < favoured ? shift : hem_below(5), other = (tried + shift) % 5;
                    uint32_t now = scorers[judge]() + scorers[other]();
                    left -= effort[judge] + effort[other] + 3;
                    if (now < least) {
                        least = now;
                        for (uint32_t i = 0; i < length; i++)
                            best_order[i] = order[i];
                    }
                    tried++;
                } while (tried < limit && next_lexical());
            hem_result(least + best_order[0]);
        }
    }
}
