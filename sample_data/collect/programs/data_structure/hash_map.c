/* An open-addressing hash map of several megabytes that grows as it fills: filling, a skewed mix of operations, a sweep over all. */
#include "hem.h"

struct slot {
    uint64_t key; /* 0: empty */
    uint64_t value;
    uint32_t uses, stamp;
    uint64_t padding;
};

static struct slot *table;
static uint32_t mask, filled;

static uint32_t home_of(uint64_t key)
{
    return (uint32_t)((key * 0x9E3779B97F4A7C15ULL) >> 40) & mask;
}

static struct slot *find(uint64_t key)
{
    uint32_t at = home_of(key);
    while (table[at].key != key && table[at].key != 0)
        at = (at + 1) & mask;
    return &table[at];
}

static void grow(void)
{
    struct slot *old = table;
    uint32_t old_size = mask + 1;
    mask = 2 * old_size - 1;
    table = hem_alloc(((size_t)mask + 1) * sizeof *table);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].key) {
            struct slot *slot = find(old[i].key);
            slot->key = old[i].key;
            slot->value = old[i].value;
            slot->uses = old[i].uses;
        }
}

static void insert(uint64_t key, uint64_t value)
{
    struct slot *slot = find(key);
    if (slot->key == 0) {
        slot->key = key;
        slot->uses = 0;
        filled++;
    }
    slot->value = value;
    if (filled * 4ull > (mask + 1ull) * 3)
        grow();
}

/* Takes the key out and closes the gap, so that no marker stays behind; 1 if it was there. */
static uint32_t erase(uint64_t key)
{
    struct slot *slot = find(key);
    if (slot->key == 0)
        return 0;
    uint32_t hole = (uint32_t)(slot - table);
    for (uint32_t at = (hole + 1) & mask; table[at].key != 0; at = (at + 1) & mask)
        if (((at - home_of(table[at].key)) & mask) >= ((at - hole) & mask)) {
            table[hole].key = table[at].key;
            table[hole].value = table[at].value;
            table[hole].uses = table[at].uses;
            hole = at;
        }
    table[hole].key = 0;
    filled--;
    return 1;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t keys = hem_scaled(hem_between(24000, 60000), scale), operations = hem_scaled(hem_between(36000, 84000), scale);
    uint32_t read_share = hem_between(30, 95), skewed_share = hem_below(90), hot = 1 + keys / hem_between(20, 400);
    uint32_t stride = hem_below(3) ? 0x01000193u : 1; /* some runs have keys in sequence */
    mask = 1023;
    table = hem_alloc(((size_t)mask + 1) * sizeof *table);

    hem_stage("fill");
    for (uint32_t i = 0; i < keys; i++)
        insert(1 + (uint64_t)i * stride, hem_random());

    hem_stage("mix");
    uint64_t found = 0, erased = 0;
    for (uint32_t i = 0; i < operations; i++) {
        uint32_t which = hem_below(100) < skewed_share ? hem_below(hot) : hem_below(keys + keys / 4);
        uint64_t key = 1 + (uint64_t)which * stride;
        uint32_t choice = hem_below(100);
        if (choice < read_share) {
            struct slot *slot = find(key);
            if (slot->key) {
                found += slot->value & 0xFF;
                slot->uses++;
                slot->stamp = i;
            }
        } else if (choice & 1)
            insert(key, found + i);
        else
            erased += erase(key);
    }

    hem_stage("sweep");
    uint64_t sum = 0;
    uint32_t busiest = 0;
    for (uint32_t i = 0; i <= mask; i++)
        if (table[i].key) {
            sum += table[i].value ^ table[i].key;
            if (table[i].uses > busiest)
                busiest = table[i].uses;
        }
    hem_result(found);
    hem_result(erased);
    hem_result(sum);
    hem_result(busiest);
}
