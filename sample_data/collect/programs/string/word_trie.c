/* Counts words in a trie of several megabytes: skewed word stream in, look-ups with misspellings, then a walk over the trie. */
#include "hem.h"

#define LETTERS 26
#define LONGEST 12

struct node { uint32_t child[LETTERS]; uint32_t count; };

static struct node *nodes;
static uint32_t node_count = 1, most_nodes;
static uint8_t (*words)[LONGEST]; /* each padded with LETTERS */

static void make_words(uint32_t count, uint32_t alphabet)
{
    for (uint32_t w = 0; w < count; w++) {
        uint32_t size = hem_between(3, LONGEST), shared = w > 0 ? hem_below(size) : 0, model = w > 0 ? hem_below(w) : 0;
        for (uint32_t i = 0; i < LONGEST; i++) {
            if (i >= size)
                words[w][i] = LETTERS;
            else if (i < shared && words[model][i] < LETTERS)
                words[w][i] = words[model][i];
            else
                words[w][i] = (uint8_t)hem_below(alphabet);
        }
    }
}

static void insert(const uint8_t *word)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < LONGEST && word[i] < LETTERS; i++) {
        uint32_t *link = &nodes[at].child[word[i]];
        if (*link == 0) {
            if (node_count == most_nodes)
                return;
            *link = node_count++;
        }
        at = *link;
    }
    nodes[at].count++;
}

/* The count of `word` with the letter at `wrong` turned by `by`. */
static uint32_t look_up(const uint8_t *word, uint32_t wrong, uint32_t by)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < LONGEST && word[i] < LETTERS; i++) {
        uint32_t letter = i == wrong ? (word[i] + by) % LETTERS : word[i];
        at = nodes[at].child[letter];
        if (at == 0)
            return 0;
    }
    return nodes[at].count;
}

/* The number of words below `at` with a count of at least `least` (at most LONGEST deep). */
static uint32_t common_words(uint32_t at, uint32_t least)
{
    uint32_t found = nodes[at].count >= least;
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        if (nodes[at].child[letter] != 0)
            found += common_words(nodes[at].child[letter], least);
    return found;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t vocabulary = hem_scaled(hem_between(2000, 4500), scale), alphabet = hem_between(6, 26);
    uint32_t stream = hem_scaled(hem_between(8000, 15000), scale), queries = hem_scaled(hem_between(4000, 16000), scale);
    uint32_t skew = hem_below(3);
    most_nodes = vocabulary * LONGEST + 1;
    nodes = hem_alloc(most_nodes < 500000 ? most_nodes * sizeof *nodes : 500000 * sizeof *nodes);
    if (most_nodes > 500000)
        most_nodes = 500000;
    words = hem_alloc(vocabulary * sizeof *words);

    hem_stage("words");
    make_words(vocabulary, alphabet);
    hem_stage("insert");
    for (uint32_t i = 0; i < stream; i++) {
        uint32_t w = hem_below(vocabulary);
        for (uint32_t s = 0; s < skew; s++)
            w = hem_below(w + 1);
        insert(words[w]);
    }
    hem_stage("look_up");
    uint64_t total = 0;
    for (uint32_t i = 0; i < queries; i++)
        total += look_up(words[hem_below(vocabulary)], hem_below(2 * LONGEST), hem_between(1, 25));
    hem_result(total);
    hem_stage("walk");
    hem_result(common_words(0, 2));
    hem_result(node_count);
}
