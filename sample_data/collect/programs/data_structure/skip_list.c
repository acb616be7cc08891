/* A skip list of records scattered over several megabytes: insertion in random order, look-ups and removals, updates in key order. */
#include "hem.h"

#define LEVELS 14

struct record {
    struct record *next[LEVELS];
    uint64_t key;
    uint32_t level, amount;
    uint64_t history[8];
};

static struct record *head;
static struct record *before[LEVELS];
static uint32_t level_count = 1;

/* The last record before `key` on every level is kept in before[]; returns the first record that is not before it. */
static struct record *locate(uint64_t key)
{
    struct record *at = head;
    for (uint32_t level = level_count; level-- > 0;) {
        while (at->next[level] && at->next[level]->key < key)
            at = at->next[level];
        before[level] = at;
    }
    return at->next[0];
}

static void insert(struct record *record, uint64_t key)
{
    struct record *after = locate(key);
    if (after && after->key == key) {
        after->amount++;
        return;
    }
    uint32_t level = 1;
    while (level < LEVELS && (hem_random() & 3) == 0)
        level++;
    while (level_count < level)
        before[level_count++] = head;
    record->key = key;
    record->level = level;
    record->amount = hem_below(1000);
    for (uint32_t i = 0; i < level; i++) {
        record->next[i] = before[i]->next[i];
        before[i]->next[i] = record;
    }
}

static int take_out(uint64_t key)
{
    struct record *record = locate(key);
    if (!record || record->key != key)
        return 0;
    for (uint32_t i = 0; i < record->level; i++)
        before[i]->next[i] = record->next[i];
    return 1;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t count = hem_scaled(hem_between(6000, 14000), scale), queries = hem_scaled(hem_between(3000, 10000), scale);
    uint32_t local_share = hem_below(100), removal_share = hem_below(40), passes = hem_between(2, 9);
    uint32_t key_bits = hem_between(16, 32);
    struct record *records = hem_alloc(count * sizeof *records);
    head = hem_alloc(sizeof *head);

    hem_stage("insert");
    for (uint32_t i = 0; i < count; i++)
        insert(&records[i], hem_random() >> (32 - key_bits));

    hem_stage("query");
    uint64_t sum = 0, removed = 0;
    uint32_t centre = hem_random() >> (32 - key_bits);
    for (uint32_t i = 0; i < queries; i++) {
        uint32_t key = hem_random() >> (32 - key_bits);
        if (hem_below(100) < local_share) /* near the last place, so that its records are in the cache */
            key = centre + (key >> 8);
        else
            centre = key;
        struct record *record = locate(key);
        for (uint32_t near = 0; record && near < 4; near++, record = record->next[0])
            sum += record->amount;
        if (hem_below(100) < removal_share && before[0] != head)
            removed += (uint64_t)take_out(before[0]->key);
    }

    hem_stage("update");
    for (uint32_t pass = 0; pass < passes; pass++)
        for (struct record *record = head->next[0]; record; record = record->next[0]) {
            record->history[pass % 8] = record->amount;
            if (record->amount & 1)
                record->amount += (uint32_t)(record->key & 15);
            else
                record->amount /= 2;
            sum += record->history[(pass + 5) % 8];
        }
    hem_result(sum);
    hem_result(removed);
    hem_result(level_count);
}
