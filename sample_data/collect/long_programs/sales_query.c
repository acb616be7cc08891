/* A small database engine answers one query: the turnover per customer group and month of the orders that pass a filter, in order.
 *
 * Stages: load (writes the columns of customers and orders: store-heavy), scan (filters four columns, mispredicted, selectivity by
 * stretches), build (hash table of the customers), probe (random access into a few MiB), group (aggregation with a skewed key),
 * order_by (quick sort of the groups through a comparison function), report (numbers and bars as text).
 */
#include "hem.h"

#define GROUP_SLOTS 8192u

struct group { uint32_t key, orders; uint64_t turnover; };

static uint32_t n_customers, n_orders, n_selected, n_joined, n_groups, slots;
static uint32_t *customer_id, *customer_region, *order_customer, *order_amount, *order_day, *selected, *joined_region, *hash_slots;
static uint8_t *order_state;
static struct group *groups;

static void load(void)
{
    for (uint32_t i = 0; i < n_customers; i++) {
        customer_id[i] = i * 7919u + hem_below(7919);
        customer_region[i] = hem_below(hem_between(1, 900));
    }
    uint32_t popular = hem_between(50, 2000), day = 0;
    for (uint32_t i = 0; i < n_orders; i++) {
        uint32_t who = hem_below(4) ? hem_below(n_customers) : hem_below(popular) % n_customers;
        order_customer[i] = hem_below(8) ? customer_id[who] : hem_random();
        order_amount[i] = 100 + hem_below(hem_between(1, 50000));
        day += hem_below(64) == 0;
        order_day[i] = day;
        order_state[i] = (uint8_t)(hem_below(10) < 7 ? (i >> 12) % 4 : hem_below(4));
    }
}

/* The rows that pass; a second look at the rows near them counts how the amounts run. */
static uint32_t scan(uint32_t least, uint32_t passes)
{
    uint32_t rising = 0;
    for (uint32_t pass = 0; pass < passes; pass++) {
        n_selected = 0;
        for (uint32_t i = 1; i < n_orders; i++) {
            if (order_state[i] == pass % 4 && order_amount[i] < least * 8)
                continue;
            if (order_amount[i] < least)
                continue;
            if (order_amount[i] > order_amount[i - 1] + pass)
                rising++;
            selected[n_selected++] = i;
        }
    }
    return rising;
}

static uint32_t hash(uint32_t key)
{
    key = (key ^ (key >> 15)) * 0x2C1B3C6Du;
    return key ^ (key >> 13);
}

static uint32_t build(void)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < n_customers; i++) {
        uint32_t at = hash(customer_id[i]) & (slots - 1);
        while (hash_slots[at]) {
            at = (at + 1) & (slots - 1);
            steps++;
        }
        hash_slots[at] = i + 1;
    }
    return steps;
}

static void probe(void)
{
    for (uint32_t s = 0; s < n_selected; s++) {
        uint32_t key = order_customer[selected[s]], at = hash(key) & (slots - 1);
        while (hash_slots[at] && customer_id[hash_slots[at] - 1] != key)
            at = (at + 1) & (slots - 1);
        if (hash_slots[at]) {
            selected[n_joined] = selected[s];
            joined_region[n_joined++] = customer_region[hash_slots[at] - 1];
        }
    }
}

static void group_rows(uint32_t days_each)
{
    for (uint32_t j = 0; j < n_joined; j++) {
        uint32_t key = 1 + joined_region[j] * 64 + order_day[selected[j]] / days_each % 64, at = hash(key) & (GROUP_SLOTS - 1);
        while (groups[at].key && groups[at].key != key)
            at = (at + 1) & (GROUP_SLOTS - 1);
        if (!groups[at].key && n_groups > GROUP_SLOTS * 3 / 4)
            continue;
        n_groups += !groups[at].key;
        groups[at].key = key;
        groups[at].orders++;
        groups[at].turnover += order_amount[selected[j]];
    }
}

static int by_turnover(const struct group *a, const struct group *b)
{
    return a->turnover != b->turnover ? a->turnover > b->turnover : a->key < b->key;
}

static int by_orders(const struct group *a, const struct group *b)
{
    return a->orders != b->orders ? a->orders > b->orders : a->key < b->key;
}

static void quick_sort(uint32_t *index, int32_t low, int32_t high, int (*before)(const struct group *, const struct group *))
{
    while (low < high) {
        const struct group *pivot = &groups[index[(low + high) / 2]];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(&groups[index[i]], pivot))
                i++;
            while (before(pivot, &groups[index[j]]))
                j--;
            if (i <= j) {
                uint32_t kept = index[i];
                index[i++] = index[j];
                index[j--] = kept;
            }
        }
        quick_sort(index, low, j, before);
        low = i;
    }
}

static uint32_t write_number(char *to, uint64_t number)
{
    uint32_t length = 0;
    do {
        to[length++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    to[length++] = '\n';
    return length;
}

/* One line of the report: key, number of orders, turnover, and a bar of up to 40 marks; `check` runs over the characters. */
static uint32_t write_line(char *to, const struct group *group, uint64_t most, uint32_t *check)
{
    uint32_t length = write_number(to, group->key);
    length += write_number(to + length, group->orders);
    length += write_number(to + length, group->turnover);
    for (uint64_t left = group->turnover * 40 / most; left > 0; left--)
        to[length++] = '#';
    for (uint32_t i = 0; i < length; i++)
        *check = (*check ^ (uint8_t)to[i]) * 16777619u;
    return length;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    n_customers = hem_scaled(hem_between(40000, 80000), scale);
    n_orders = hem_scaled(hem_between(56000, 76000), scale);
    for (slots = 1024; slots < n_customers + n_customers / 4; slots *= 2)
        ;
    uint32_t **columns[] = {&order_customer, &order_amount, &order_day, &selected, &joined_region};
    for (uint32_t i = 0; i < 5; i++)
        *columns[i] = hem_alloc(n_orders * sizeof(uint32_t));
    customer_id = hem_alloc(n_customers * sizeof *customer_id);
    customer_region = hem_alloc(n_customers * sizeof *customer_region);
    order_state = hem_alloc(n_orders);
    hash_slots = hem_alloc(slots * sizeof *hash_slots);
    groups = hem_alloc(GROUP_SLOTS * sizeof *groups);
    uint32_t *index = hem_alloc(GROUP_SLOTS * sizeof *index), n = 0, length = 0, check = 0;
    char *text = hem_alloc(GROUP_SLOTS * 96);

    hem_stage("load");
    load();
    hem_stage("scan");
    hem_result(scan(hem_between(500, 3000), hem_between(2, 3)));
    hem_stage("build");
    hem_result(build());
    hem_stage("probe");
    probe();
    hem_stage("group");
    group_rows(hem_between(24, 60));
    hem_stage("order_by");
    for (uint32_t i = 0; i < GROUP_SLOTS; i++)
        if (groups[i].key)
            index[n++] = i;
    quick_sort(index, 0, (int32_t)n - 1, by_orders);
    quick_sort(index, 0, (int32_t)n - 1, by_turnover);
    hem_stage("report");
    for (uint32_t i = 0; i < n; i++)
        length += write_line(text + length, &groups[index[i]], groups[index[0]].turnover, &check);
    hem_result(length);
    hem_result(check);
}
