/* Sentences of a random grammar parsed by the CYK table, with sets of symbols as bit masks; a tree is then read off recursively. */
#include "hem.h"

#define SYMBOLS 24
#define WORDS 40
#define MOST_WORDS 30
#define MOST_RULES 110

struct rule {
    uint8_t parent, left, right;
};

static struct rule rules[MOST_RULES]; /* sorted by the left symbol */
static uint32_t rule_count, first_rule[SYMBOLS + 1];
static uint32_t symbols_of[WORDS];
static uint32_t sentence[MOST_WORDS], length;
static uint32_t spans[MOST_WORDS][MOST_WORDS + 1]; /* spans[i][n]: the symbols that give the n words from i on */
static uint64_t steps;

static void make_grammar(uint32_t symbols_per_word)
{
    rule_count = hem_between(SYMBOLS, MOST_RULES);
    for (uint32_t left = 0, r = 0; left < SYMBOLS; left++) {
        first_rule[left] = r;
        for (uint32_t last = (left + 1) * rule_count / SYMBOLS; r < last; r++) {
            rules[r].left = (uint8_t)left;
            rules[r].right = (uint8_t)hem_below(SYMBOLS);
            rules[r].parent = (uint8_t)hem_below(SYMBOLS);
        }
    }
    first_rule[SYMBOLS] = rule_count;
    for (uint32_t w = 0; w < WORDS; w++) {
        symbols_of[w] = 0;
        for (uint32_t i = 0; i < symbols_per_word; i++)
            symbols_of[w] |= 1u << hem_below(SYMBOLS);
    }
}

static uint32_t combine(uint32_t lefts, uint32_t rights)
{
    uint32_t parents = 0;
    for (; lefts && rights; lefts &= lefts - 1) {
        uint32_t left = (uint32_t)__builtin_ctz(lefts);
        for (uint32_t r = first_rule[left]; r < first_rule[left + 1]; r++)
            if (rights >> rules[r].right & 1)
                parents |= 1u << rules[r].parent;
        steps += 2 + first_rule[left + 1] - first_rule[left];
    }
    steps += 3;
    return parents;
}

static void parse(void)
{
    for (uint32_t i = 0; i < length; i++)
        spans[i][1] = symbols_of[sentence[i]];
    for (uint32_t n = 2; n <= length; n++)
        for (uint32_t i = 0; i + n <= length; i++) {
            uint32_t set = 0;
            for (uint32_t cut = 1; cut < n; cut++)
                set |= combine(spans[i][cut], spans[i + cut][n - cut]);
            spans[i][n] = set;
        }
}

/* Reads off a tree for `symbol` over n words from i on: the first rule and cut that fit; returns a hash of its shape. */
static uint64_t tree(uint32_t i, uint32_t n, uint32_t symbol)
{
    if (n == 1)
        return symbol + 1;
    for (uint32_t cut = 1; cut < n; cut++)
        for (uint32_t r = 0; r < rule_count; r++) {
            steps++;
            if (rules[r].parent == symbol && (spans[i][cut] >> rules[r].left & 1) &&
                (spans[i + cut][n - cut] >> rules[r].right & 1))
                return 31 * tree(i, cut, rules[r].left) + 17 * tree(i + cut, n - cut, rules[r].right) + cut;
        }
    return 0;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint64_t limit = hem_scaled(hem_between(350000, 800000), scale);
    uint32_t longest = hem_between(12, MOST_WORDS), per_word = hem_between(1, 5), vocabulary = hem_between(4, WORDS);
    uint32_t parsed = 0;
    hem_stage("sentences");
    for (uint32_t round = 0; steps < limit; round++) {
        if (round % 4 == 0)
            make_grammar(per_word);
        length = hem_between(6, longest);
        for (uint32_t i = 0; i < length; i++)
            sentence[i] = hem_below(vocabulary);
        parse();
        for (uint32_t roots = spans[0][length], k = 0; roots && k < 3; roots &= roots - 1, k++) {
            hem_result(tree(0, length, (uint32_t)__builtin_ctz(roots)));
            parsed++;
        }
    }
    hem_result(parsed);
    hem_result(steps);
}
