/* Writes a text of made-up words, indexes it and answers queries.
 *
 * Stages: write_text (words with a skewed frequency: store-heavy), tokenise (a branch per character), count_words (hashing and
 * chained look-ups in a growing table), sort_words (merge sort through a comparison function), build_postings (scattered stores, and
 * counters of word pairs all over 3 MiB), query (intersections of posting lists of very unequal length: bursts).
 */
#include "hem.h"

#define BUCKETS 8192u
#define SKETCH_WORDS 65536u
#define SKETCH_ROWS 12u

struct word { uint32_t start, length, count, next, first_posting; };
struct token { uint32_t start, word; };

static uint32_t n_words, n_tokens, text_bytes, vocabulary;
static char *text, *letters;
static uint32_t *spelling, *order, *spare, *postings, *buckets, *sketch;
static struct word *words;
static struct token *tokens;

/* The vocabulary: word v is letters[spelling[v]] up to letters[spelling[v + 1]]. */
static void invent_words(void)
{
    uint32_t at = 0;
    for (uint32_t v = 0; v < vocabulary; v++) {
        spelling[v] = at;
        for (uint32_t left = hem_between(2, 5) + hem_below(5); left > 0; left--)
            letters[at++] = (char)('a' + (hem_below(26) & hem_between(7, 31)) % 26);
    }
    spelling[vocabulary] = at;
}

static void write_text(uint32_t wanted)
{
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t v = hem_below(hem_between(1, vocabulary));
        if (hem_below(3) == 0)
            v = hem_below(1 + v / 64);
        for (uint32_t at = spelling[v]; at < spelling[v + 1]; at++)
            text[text_bytes++] = letters[at];
        text[text_bytes++] = hem_below(9) ? ' ' : '.';
    }
}

static void tokenise(void)
{
    uint32_t start = 0, inside = 0;
    for (uint32_t i = 0; i < text_bytes; i++) {
        char c = text[i];
        if (c >= 'a' && c <= 'z') {
            if (!inside)
                start = i;
            inside = 1;
        } else if (inside) {
            tokens[n_tokens].start = start;
            tokens[n_tokens++].word = i - start; /* the length, until the word is known */
            inside = 0;
        }
    }
}

static int same(const char *a, const char *b, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static void count_words(void)
{
    for (uint32_t t = 0; t < n_tokens; t++) {
        uint32_t start = tokens[t].start, length = tokens[t].word, hash = 2166136261u;
        for (uint32_t i = 0; i < length; i++)
            hash = (hash ^ (uint8_t)text[start + i]) * 16777619u;
        uint32_t *bucket = &buckets[hash % BUCKETS], w = *bucket;
        while (w && !(words[w].length == length && same(text + words[w].start, text + start, length)))
            w = words[w].next;
        if (!w) {
            w = ++n_words;
            words[w].start = start;
            words[w].length = length;
            words[w].next = *bucket;
            *bucket = w;
        }
        words[w].count++;
        tokens[t].word = w;
    }
}

static int earlier_by_name(uint32_t a, uint32_t b)
{
    const char *p = text + words[a].start, *q = text + words[b].start;
    while (*p == *q && *p >= 'a') {
        p++;
        q++;
    }
    return *p <= *q;
}

static int earlier_by_count(uint32_t a, uint32_t b)
{
    return words[a].count >= words[b].count;
}

static void merge_sort(int (*earlier)(uint32_t, uint32_t))
{
    for (uint32_t run = 1; run < n_words; run *= 2) {
        for (uint32_t low = 0; low < n_words; low += 2 * run) {
            uint32_t middle = low + run < n_words ? low + run : n_words, high = low + 2 * run < n_words ? low + 2 * run : n_words;
            for (uint32_t i = low, j = middle, k = low; k < high; k++)
                spare[k] = j == high || (i < middle && earlier(order[i], order[j])) ? order[i++] : order[j++];
        }
        uint32_t *sorted = spare;
        spare = order;
        order = sorted;
    }
}

/* Per word the tokens where it stands, in order; and how often words follow each other, as counters in several rows of a sketch. */
static void build_postings(void)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        words[order[i]].first_posting = at;
        at += words[order[i]].count;
        words[order[i]].count = 0;
    }
    for (uint32_t t = 0; t < n_tokens; t++) {
        struct word *word = &words[tokens[t].word];
        postings[word->first_posting + word->count++] = t;
        uint32_t pair = tokens[t].word * 40503u + (t > 0 ? tokens[t - 1].word : 0);
        for (uint32_t row = 0; row < SKETCH_ROWS; row++) {
            pair = (pair ^ (pair >> 15)) * 0x2C1B3C6Du;
            sketch[row * SKETCH_WORDS + pair % SKETCH_WORDS]++;
        }
    }
}

/* How often word b stands within `reach` tokens after word a. */
static uint32_t query(const struct word *a, const struct word *b, uint32_t reach)
{
    uint32_t found = 0;
    for (uint32_t i = 0, j = 0; i < a->count; i++) {
        uint32_t place = postings[a->first_posting + i];
        while (j < b->count && postings[b->first_posting + j] <= place)
            j++;
        if (j < b->count && postings[b->first_posting + j] - place <= reach)
            found++;
    }
    return found;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t wanted = hem_scaled(hem_between(22000, 32000), scale), queries = hem_scaled(hem_between(4500, 8000), scale);
    vocabulary = hem_between(3000, 6000);
    letters = hem_alloc(vocabulary * 10);
    spelling = hem_alloc((vocabulary + 1) * sizeof *spelling);
    text = hem_alloc(wanted * 11);
    tokens = hem_alloc(wanted * sizeof *tokens);
    buckets = hem_alloc(BUCKETS * sizeof *buckets);
    sketch = hem_alloc(SKETCH_ROWS * SKETCH_WORDS * sizeof *sketch);
    words = hem_alloc((vocabulary + 1) * sizeof *words);
    order = hem_alloc(vocabulary * sizeof *order);
    spare = hem_alloc(vocabulary * sizeof *spare);
    postings = hem_alloc(wanted * sizeof *postings);

    hem_stage("write_text");
    invent_words();
    write_text(wanted);
    hem_stage("tokenise");
    tokenise();
    hem_stage("count_words");
    count_words();
    hem_stage("sort_words");
    for (uint32_t i = 0; i < n_words; i++)
        order[i] = i + 1;
    merge_sort(earlier_by_name);
    merge_sort(earlier_by_count);
    hem_stage("build_postings");
    build_postings();
    hem_stage("query");
    uint32_t answers = 0;
    for (uint32_t i = 0; i < queries; i++)
        answers += query(&words[order[hem_below(hem_between(1, n_words))]], &words[order[hem_below(n_words)]], hem_between(1, 60));
    hem_result(n_words);
    hem_result(answers);
    hem_result(sketch[n_words] * 31u + sketch[SKETCH_WORDS + n_words]);
}
