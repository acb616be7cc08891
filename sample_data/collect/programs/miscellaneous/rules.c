/* A rule engine: 512 generated rule functions, called through a table in an order the data decides, so that code misses caches. */
#include "hem.h"

struct item { uint32_t price, weight, age, score, flags, history[3]; };

typedef uint32_t (*rule)(struct item *); /* applies itself and returns a hint for the next rule */

/* The number N is a constant in each rule, so that every function has other constants, and other steps, in it. */
#define RULE(N, NAME, KIND)                                                                                                        \
    static uint32_t NAME##N(struct item *x)                                                                                        \
    {                                                                                                                              \
        uint32_t hint = x->score ^ (0x##N * 2246822519u + KIND);                                                                   \
        if (x->price % (0x##N % 37 + 3) < (0x##N % 11) + 1)                                                                        \
            x->score += x->weight * (2 * 0x##N + KIND);                                                                            \
        else                                                                                                                       \
            x->score ^= x->price >> (0x##N % 13 + 1);                                                                              \
        if (0x##N & 1) {                                                                                                           \
            if (x->age > (0x##N + 3) * 8000000u)                                                                                   \
                x->age = x->age / (0x##N % 23 + 2) + x->history[0x##N % 3];                                                        \
            else                                                                                                                   \
                x->age += 0x##N * 40503u + (x->score & 0xFFFFFF);                                                                  \
        } else {                                                                                                                   \
            x->history[0x##N % 3] += x->score % (0x##N % 61 + 7);                                                                  \
            x->weight ^= x->history[(0x##N + 1) % 3] << (0x##N % 5 + KIND);                                                        \
        }                                                                                                                          \
        if (x->flags & (1u << (0x##N % 32))) {                                                                                     \
            x->flags ^= x->score >> (KIND + 3) | 1u;                                                                               \
            hint += x->weight * 40503u;                                                                                            \
        } else if (KIND == 1) {                                                                                                    \
            x->price += x->flags % (0x##N % 19 + 2);                                                                               \
            x->flags |= x->age & (0x##N * 65793u);                                                                                 \
        }                                                                                                                          \
        return hint * 2654435761u ^ x->age;                                                                                        \
    }
#define PLAIN(N) RULE(N, plain_, 0)
#define STRICT(N) RULE(N, strict_, 1)
#define PLAIN_NAME(N) plain_##N,
#define STRICT_NAME(N) strict_##N,
#define TIMES_16(M, H)                                                                                                             \
    M(H##0) M(H##1) M(H##2) M(H##3) M(H##4) M(H##5) M(H##6) M(H##7)                                                                \
    M(H##8) M(H##9) M(H##A) M(H##B) M(H##C) M(H##D) M(H##E) M(H##F)
#define TIMES_256(M)                                                                                                               \
    TIMES_16(M, 0) TIMES_16(M, 1) TIMES_16(M, 2) TIMES_16(M, 3) TIMES_16(M, 4) TIMES_16(M, 5) TIMES_16(M, 6) TIMES_16(M, 7)        \
    TIMES_16(M, 8) TIMES_16(M, 9) TIMES_16(M, A) TIMES_16(M, B) TIMES_16(M, C) TIMES_16(M, D) TIMES_16(M, E) TIMES_16(M, F)

TIMES_256(PLAIN)
TIMES_256(STRICT)

#define RULES 512

static const rule rules[RULES] = {TIMES_256(PLAIN_NAME) TIMES_256(STRICT_NAME)};

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t count = hem_between(500, 6000), shifts = hem_between(8, 50), most = hem_between(4, 40);
    uint32_t budget = hem_scaled(hem_between(130000, 260000), scale), calls = 0;
    struct item *items = hem_alloc(count * sizeof *items);

    hem_stage("load");
    for (uint32_t i = 0; i < count; i++) {
        items[i].price = hem_random();
        items[i].weight = hem_below(100000);
        items[i].age = hem_random();
        items[i].flags = hem_random() & hem_random();
    }
    for (uint32_t shift = 1; shift <= shifts; shift++) {
        /* Each shift uses its own part of the rules: a few hot ones, or all of them. */
        uint32_t spread = 1u << hem_between(3, 9), base = hem_below(RULES);
        hem_stage("shift");
        while (calls < (uint64_t)budget * shift / shifts) {
            struct item *x = &items[hem_below(count)];
            uint32_t chain = hem_between(1, most), hint = x->score;
            for (uint32_t k = 0; k < chain; k++)
                hint = rules[(base + hint % spread) % RULES](x);
            calls += chain;
            hem_result(x->score);
        }
    }
}
