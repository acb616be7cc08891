/* A day of the request server: the server of request_server.c, its functions and its seed's choice of input, with requests that change
 * with the hour instead of a mixture that stays as it is.
 *
 * Stages: fill (writes records and log lines: store-heavy), lookups (point reads and tree walks: read misses, mispredicted), rules
 * (rules through pointers and scripts: indirect branches), report (scans and filters columns), sessions (sorts small batches and keeps
 * their digests: arithmetic), lookups again, at another rate, and backup (scans, digests and logs). A stage's own requests come in
 * turn; one in eight is of any kind, in the seed's own mixture, as in request_server.c.
 * Requests are smaller than there, and more.
 */
#include "hem.h"
#define hem_main serve_a_steady_mixture
#include "request_server.c"
#undef hem_main

#define SMALLER 8u /* a slot of 8,000 basic blocks holds about a hundred requests, as an interval of a real server holds many */

struct hour {
    const char *name;
    uint32_t least, most;   /* requests */
    uint32_t share[KINDS];  /* of the stage's own requests; get, put, sort, scan, log, rules, digest, search, script, filter */
};

static const struct hour day[] = {
    {"fill", 1800, 3600, {0, 6, 0, 0, 4, 0, 0, 0, 0, 0}},     {"lookups", 2800, 5600, {6, 0, 0, 0, 0, 0, 0, 4, 0, 0}},
    {"rules", 2400, 4800, {0, 0, 0, 0, 0, 6, 0, 0, 4, 0}},    {"report", 2000, 4000, {0, 0, 0, 5, 0, 0, 0, 0, 0, 5}},
    {"sessions", 4800, 8800, {0, 0, 6, 0, 0, 0, 4, 0, 0, 0}}, {"lookups", 1600, 3200, {3, 1, 0, 0, 0, 0, 0, 6, 0, 0}},
    {"backup", 1600, 3200, {0, 0, 0, 4, 4, 0, 2, 0, 0, 0}},
};

/* The kind at place `at` of the weights laid end to end. */
static uint32_t kind_at(const uint32_t weights[KINDS], uint32_t at)
{
    uint32_t kind = 0;
    while (at >= weights[kind])
        at -= weights[kind++];
    return kind;
}

static uint32_t sum_of(const uint32_t weights[KINDS])
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < KINDS; k++)
        sum += weights[k];
    return sum;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    uint32_t weights[KINDS], answer = seed;
    table = hem_alloc(8u << 20);
    store = hem_alloc(8u << 20);
    column = hem_alloc(4u << 20);
    ring = hem_alloc(4u << 20);
    tree = hem_alloc(256u << 10);
    hem_stage(day[0].name);
    choose_input(weights);
    plant_tree();
    uint32_t total = sum_of(weights);
    for (uint32_t h = 0; h < sizeof day / sizeof *day; h++) {
        if (h > 0)
            hem_stage(day[h].name);
        uint32_t own = sum_of(day[h].share);
        for (uint32_t left = hem_scaled(hem_between(day[h].least, day[h].most), scale); left > 0; left--) {
            uint32_t kind = hem_below(8) ? kind_at(day[h].share, left * 3 % own) : kind_at(weights, hem_below(total));
            uint32_t count = usual_count[kind] / SMALLER;
            answer = answer * 31 + servers[kind](hem_between(count / 2, count + count / 2));
        }
    }
    hem_result(answer);
}
