/* A server that works through a queue of mixed requests. The seed decides how many there are, how much of each kind, how large and
 * how skewed the key space is, how many rules are in force and how predictable the branches are: every part varies on its own.
 *
 *   get      point reads of a table of up to 8 MiB            put      blind writes of records into a store of up to 8 MiB
 *   sort     insertion sort of a small, partly sorted batch   scan     sums a stretch of a column, small or large
 *   log      appends lines to a ring buffer                   rules    evaluates rules through pointers, 448 functions in all
 *   digest   arithmetic hashing, nearly no memory             search   walks of a binary search tree laid out in an array
 *   script   a small bytecode machine with a switch           filter   counts the rows that pass a test, branch by branch
 */
#include "hem.h"

#define KINDS 10u
#define RULES 448u

typedef uint32_t rule_function(uint32_t, uint32_t *);

/* A rule: a few tests and updates with constants of its own, about 200 bytes of code, so that no two are the same. */
#define RULE(n)                                                                                                                      \
    static uint32_t rule_##n(uint32_t x, uint32_t *facts)                                                                            \
    {                                                                                                                                \
        uint32_t a = x * (2654435761u + 2u * 0x##n##u), b = (x >> 3) ^ (0x9E3779B9u * (0x##n##u + 1));                               \
        a ^= a >> (5 + 0x##n##u % 11);                                                                                               \
        b += facts[0x##n##u % 61] * (0x##n##u * 40503u + 77);                                                                        \
        if ((a & 15) == 0x##n##u % 16)                                                                                               \
            b ^= a * (0x##n##u + 31337u);                                                                                            \
        a = (a << (1 + 0x##n##u % 13)) + (b >> (2 + 0x##n##u % 17)) + 0x##n##u * 1299709u;                                           \
        facts[0x##n##u * 7 % 64] = b ^ (a >> 9);                                                                                     \
        b = (b + a * (0x##n##u * 8u + 5)) ^ (b >> (7 + 0x##n##u % 9));                                                               \
        facts[0x##n##u * 11 % 63] += a & (0xFFu << 0x##n##u % 20);                                                                   \
        return a + b * (0x##n##u * 2u + 3);                                                                                          \
    }
#define NAME(n) rule_##n,
#define EACH16(M, h)                                                                                                                \
    M(h##0) M(h##1) M(h##2) M(h##3) M(h##4) M(h##5) M(h##6) M(h##7)                                                                  \
    M(h##8) M(h##9) M(h##A) M(h##B) M(h##C) M(h##D) M(h##E) M(h##F)
#define EACH112(M, h)                                                                                                               \
    EACH16(M, h##0) EACH16(M, h##1) EACH16(M, h##2) EACH16(M, h##3) EACH16(M, h##4) EACH16(M, h##5) EACH16(M, h##6)
#define EACH(M) EACH112(M, 1) EACH112(M, 2) EACH112(M, 3) EACH112(M, 4)

EACH(RULE)
static rule_function *const rules[RULES] = {EACH(NAME)};

static uint32_t *table, *store, *column, *ring, *tree; /* 8, 8, 4, 4 and 1/4 MiB at most */
static uint32_t table_keys, store_keys, column_rows, ring_words, tree_nodes; /* in use, by the seed */
static uint32_t hot_share, hot_keys, disorder, rules_in_force, rule_repeat, script_period, pass_limit, ring_at;
static uint32_t facts[64];
static uint8_t script[1024];

/* A key of [0, keys): one of the few hot ones as often as the seed says. */
static uint32_t draw_key(uint32_t keys)
{
    uint32_t r = hem_random();
    return (r & 255) < hot_share ? (uint32_t)(((uint64_t)r * hot_keys) >> 32) % keys : (uint32_t)(((uint64_t)r * keys) >> 32);
}

static uint32_t serve_get(uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += table[draw_key(table_keys) * 16] + i;
    return sum;
}

static uint32_t serve_put(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *record = store + draw_key(store_keys) * 16;
        for (uint32_t k = 0; k < 5; k++)
            record[k] = i + k;
    }
    return count;
}

static uint32_t serve_sort(uint32_t count)
{
    uint32_t batch[40], size = count < 40 ? count : 40;
    for (uint32_t i = 0; i < size; i++)
        batch[i] = i * 1000 + hem_below(disorder);
    for (uint32_t i = 1; i < size; i++) {
        uint32_t value = batch[i], k = i;
        for (; k > 0 && batch[k - 1] > value; k--)
            batch[k] = batch[k - 1];
        batch[k] = value;
    }
    return batch[size / 2];
}

static uint32_t serve_scan(uint32_t count)
{
    uint32_t sum = 0, start = hem_below(column_rows - count);
    for (uint32_t i = start; i < start + count; i++)
        sum = (sum ^ column[i]) + (sum >> 7);
    return sum;
}

static uint32_t serve_log(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ring[ring_at] = count ^ i;
        ring_at = ring_at + 1 == ring_words ? 0 : ring_at + 1;
    }
    return ring_at;
}

static uint32_t serve_rules(uint32_t count)
{
    uint32_t x = count, rule = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (hem_below(256) >= rule_repeat)
            rule = hem_below(rules_in_force) * 5 % RULES;
        x = rules[rule](x, facts);
    }
    return x;
}

static uint32_t serve_digest(uint32_t count)
{
    uint32_t a = count, b = 0x6A09E667u, c = 0xBB67AE85u;
    for (uint32_t i = 0; i < count; i++) {
        a = (a + (b ^ c)) * 0x85EBCA6Bu;
        b = ((b << 13) | (b >> 19)) + a;
        c = (c ^ (a >> 15)) * 0xC2B2AE35u;
        a ^= ((b << 7) | (b >> 25)) + ((c << 22) | (c >> 10));
    }
    return a ^ b ^ c;
}

static uint32_t serve_search(uint32_t count)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = hem_random(), node = 1;
        while (node < tree_nodes) {
            depth++;
            if (tree[node] > key)
                node = node * 2;
            else
                node = node * 2 + 1;
        }
    }
    return depth;
}

static uint32_t serve_script(uint32_t count)
{
    uint32_t a = count, b = 1, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        switch (script[at]) {
        case 0: a += b; break;
        case 1: b ^= a << 3; break;
        case 2: a = a * 33 + 7; break;
        case 3: b -= a >> 5; break;
        case 4: facts[b & 63] = a; break;
        case 5: a ^= facts[a & 63]; break;
        case 6: b = b * 9 + a; break;
        default: a = (a << 5) | (a >> 27); break;
        }
        at = at + 1 == script_period ? 0 : at + 1;
    }
    return a ^ b;
}

static uint32_t serve_filter(uint32_t count)
{
    uint32_t passed = 0, x = hem_random();
    for (uint32_t i = 0; i < count; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 24) < pass_limit)
            facts[passed++ & 63] += x;
        else
            x ^= i;
    }
    return passed;
}

typedef uint32_t server_function(uint32_t);
static server_function *const servers[KINDS] = {serve_get, serve_put, serve_sort, serve_scan, serve_log,
                                                serve_rules, serve_digest, serve_search, serve_script, serve_filter};
static const uint32_t usual_count[KINDS] = {220, 160, 32, 700, 700, 130, 250, 25, 400, 350};

/* A whole number of [low, high] whose logarithm is about evenly spread. */
static uint32_t between_magnitudes(uint32_t low, uint32_t high)
{
    uint32_t top = high;
    while (top / 2 > low && hem_below(6) != 0)
        top -= top / 4;
    return hem_between(low, top);
}

static void choose_input(uint32_t weights[KINDS])
{
    for (uint32_t k = 0; k < KINDS; k++) {
        double u = hem_uniform();
        weights[k] = 40 + (uint32_t)(u * u * 1000.0);
    }
    table_keys = between_magnitudes(1u << 9, 1u << 17);
    store_keys = between_magnitudes(1u << 9, 1u << 17);
    column_rows = between_magnitudes(1u << 12, 1u << 20);
    ring_words = between_magnitudes(1u << 11, 1u << 20);
    tree_nodes = between_magnitudes(1u << 8, 1u << 16);
    hot_share = hem_below(230);
    hot_keys = hem_between(16, 1024);
    disorder = between_magnitudes(1000, 60000);
    rules_in_force = hem_between(20, RULES);
    rule_repeat = hem_below(240);
    script_period = between_magnitudes(3, 1024);
    pass_limit = hem_between(4, 128);
    uint32_t opcodes = hem_between(1, 8);
    for (uint32_t i = 0; i < script_period; i++)
        script[i] = (uint8_t)hem_below(opcodes);
}

/* The tree: node n of a level holds the middle of its part of the 32-bit numbers, moved a little. */
static void plant_tree(void)
{
    for (uint32_t first = 1, step = 0x80000000u; first < tree_nodes; first *= 2, step /= 2)
        for (uint32_t n = first; n < first * 2 && n < tree_nodes; n++)
            tree[n] = step + (n - first) * (step * 2) + (n & 15);
}

void hem_main(uint32_t seed, uint32_t scale)
{
    uint32_t weights[KINDS], total = 0, answer = seed;
    table = hem_alloc(8u << 20);
    store = hem_alloc(8u << 20);
    column = hem_alloc(4u << 20);
    ring = hem_alloc(4u << 20);
    tree = hem_alloc(256u << 10);
    choose_input(weights);
    plant_tree();
    for (uint32_t k = 0; k < KINDS; k++)
        total += weights[k];
    for (uint32_t left = hem_scaled(hem_between(1100, 3400), scale); left > 0; left--) {
        uint32_t pick = hem_below(total), kind = 0;
        while (pick >= weights[kind])
            pick -= weights[kind++];
        uint32_t count = usual_count[kind];
        answer = answer * 31 + servers[kind](hem_between(count / 2, count + count / 2));
    }
    hem_result(answer);
}
