/* A compiler and interpreter of a small language: assignments of expressions over 26 variables.
 *
 * Stages: write_source (random statements as text), lex (a switch per character, mispredicted), parse (recursive descent into a tree,
 * working set growing to about 2 MiB), optimise (folding and removal of dead assignments, walks the tree again and again: periodic),
 * emit (stack code), interpret (runs the code: an indirect jump per instruction, one wave per repetition).
 */
#include "hem.h"

enum { NUMBER, VARIABLE, ADD, SUBTRACT, MULTIPLY, SHIFT, XOR, LOAD, PUSH, STORE };

struct node { uint32_t kind, value, left, right; };
struct token { uint32_t kind, value; };

static const char operators[] = {0, 0, '+', '-', '*', '>', '^'};
static char *source;
static struct token *tokens;
static struct node *nodes;
static uint32_t *roots, *targets, *code, *live_code;
static uint32_t source_bytes, n_tokens, n_nodes, n_statements, n_code, at_token;

static void write_operand(uint32_t depth)
{
    if (depth > 0 && hem_below(5) < 3) {
        source[source_bytes++] = '(';
        for (uint32_t left = hem_between(1, 3); left > 0; left--) {
            write_operand(depth - 1);
            source[source_bytes++] = operators[hem_between(ADD, XOR)];
        }
        write_operand(depth - 1);
        source[source_bytes++] = ')';
    } else if (hem_below(2)) {
        source[source_bytes++] = (char)('a' + hem_below(26));
    } else {
        for (uint32_t left = hem_between(1, 5); left > 0; left--)
            source[source_bytes++] = (char)('0' + hem_below(10));
    }
    for (uint32_t left = hem_below(6); left > 3; left--)
        source[source_bytes++] = ' ';
}

static void write_source(uint32_t bytes)
{
    while (source_bytes < bytes) {
        source[source_bytes++] = (char)('a' + hem_below(26));
        source[source_bytes++] = '=';
        write_operand(hem_between(2, 4));
        source[source_bytes++] = ';';
    }
}

/* Tokens: NUMBER and VARIABLE with their values, the operators, and the characters ( ) = ; as they are. */
static void lex(void)
{
    for (uint32_t i = 0; i < source_bytes;) {
        uint32_t c = (uint8_t)source[i++], kind = c, value = 0;
        switch (c) {
        case ' ': continue;
        case '+': kind = ADD; break;
        case '-': kind = SUBTRACT; break;
        case '*': kind = MULTIPLY; break;
        case '>': kind = SHIFT; break;
        case '^': kind = XOR; break;
        default:
            if (c >= 'a' && c <= 'z') {
                kind = VARIABLE;
                value = c - 'a';
            } else if (c >= '0' && c <= '9') {
                kind = NUMBER;
                for (value = c - '0'; i < source_bytes && source[i] >= '0' && source[i] <= '9'; i++)
                    value = value * 10 + (uint32_t)(source[i] - '0');
            }
        }
        tokens[n_tokens].kind = kind;
        tokens[n_tokens++].value = value;
    }
}

static uint32_t new_node(uint32_t kind, uint32_t value, uint32_t left, uint32_t right)
{
    nodes[n_nodes].kind = kind;
    nodes[n_nodes].value = value;
    nodes[n_nodes].left = left;
    nodes[n_nodes].right = right;
    return n_nodes++;
}

static uint32_t parse_operand(void);

static uint32_t parse_product(void)
{
    uint32_t left = parse_operand();
    while (tokens[at_token].kind == MULTIPLY || tokens[at_token].kind == SHIFT) {
        uint32_t kind = tokens[at_token++].kind;
        left = new_node(kind, 0, left, parse_operand());
    }
    return left;
}

static uint32_t parse_sum(void)
{
    uint32_t left = parse_product();
    while (tokens[at_token].kind == ADD || tokens[at_token].kind == SUBTRACT || tokens[at_token].kind == XOR) {
        uint32_t kind = tokens[at_token++].kind;
        left = new_node(kind, 0, left, parse_product());
    }
    return left;
}

static uint32_t parse_operand(void)
{
    const struct token *token = &tokens[at_token++];
    if (token->kind != '(')
        return new_node(token->kind, token->value, 0, 0);
    uint32_t inner = parse_sum();
    at_token++;
    return inner;
}

static void parse(void)
{
    while (at_token < n_tokens) {
        targets[n_statements] = tokens[at_token].value;
        at_token += 2;
        roots[n_statements++] = parse_sum();
        at_token++;
    }
}

static uint32_t calculate(uint32_t kind, uint32_t a, uint32_t b)
{
    switch (kind) {
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case MULTIPLY: return a * b;
    case SHIFT: return a >> (b & 31);
    default: return a ^ b;
    }
}

/* Folds one level of constants per visit, and notes the variables that a tree reads. */
static uint32_t fold(uint32_t n, uint32_t *reads)
{
    struct node *node = &nodes[n];
    if (node->kind == VARIABLE)
        *reads |= 1u << node->value;
    if (node->kind <= VARIABLE)
        return 0;
    if (nodes[node->left].kind == NUMBER && nodes[node->right].kind == NUMBER) {
        node->value = calculate(node->kind, nodes[node->left].value, nodes[node->right].value);
        node->kind = NUMBER;
        return 1;
    }
    return fold(node->left, reads) + fold(node->right, reads);
}

/* From the last statement back: an assignment is dead if nothing reads the variable before its next assignment. */
static uint32_t optimise(void)
{
    uint32_t live = ~0u, changes = 0;
    for (uint32_t s = n_statements; s-- > 0;) {
        uint32_t bit = 1u << targets[s], reads = 0;
        live_code[s] = (live & bit) != 0;
        if (!live_code[s])
            continue;
        changes += fold(roots[s], &reads);
        live = (live & ~bit) | reads;
    }
    return changes;
}

static void emit_tree(uint32_t n)
{
    const struct node *node = &nodes[n];
    if (node->kind > VARIABLE) {
        emit_tree(node->left);
        emit_tree(node->right);
        code[n_code++] = node->kind;
        return;
    }
    code[n_code++] = node->kind == NUMBER ? PUSH : LOAD;
    code[n_code++] = node->value;
}

static void emit(void)
{
    n_code = 0;
    for (uint32_t s = 0; s < n_statements; s++)
        if (live_code[s]) {
            emit_tree(roots[s]);
            code[n_code++] = STORE;
            code[n_code++] = targets[s];
        }
}

static void interpret(uint32_t *variables, uint32_t length)
{
    uint32_t stack[64], top = 0;
    for (uint32_t at = 0; at < length;) {
        switch (code[at++]) {
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case SUBTRACT: top--; stack[top - 1] -= stack[top]; break;
        case MULTIPLY: top--; stack[top - 1] *= stack[top]; break;
        case SHIFT: top--; stack[top - 1] >>= stack[top] & 31; break;
        case XOR: top--; stack[top - 1] ^= stack[top]; break;
        case LOAD: stack[top++] = variables[code[at++]]; break;
        case PUSH: stack[top++] = code[at++]; break;
        default: variables[code[at++]] = stack[--top]; break;
        }
    }
}

void hem_main(uint32_t seed, uint32_t scale)
{
    uint32_t bytes = hem_scaled(hem_between(135000, 190000), scale), variables[26];
    source = hem_alloc(bytes + 65536);
    tokens = hem_alloc((bytes + 65536) * sizeof *tokens);
    nodes = hem_alloc((bytes + 65536) * sizeof *nodes);
    roots = hem_alloc((bytes / 4 + 1024) * sizeof *roots);
    targets = hem_alloc((bytes / 4 + 1024) * sizeof *targets);
    live_code = hem_alloc((bytes / 4 + 1024) * sizeof *live_code);
    code = hem_alloc((bytes + 65536) * 2 * sizeof *code);
    for (uint32_t i = 0; i < 26; i++)
        variables[i] = i * seed;

    hem_stage("write_source");
    write_source(bytes);
    hem_stage("lex");
    lex();
    hem_stage("parse");
    parse();
    hem_stage("optimise");
    for (uint32_t left = hem_between(2, 4); left > 0; left--)
        hem_result(optimise());
    hem_stage("emit");
    emit();
    hem_stage("interpret");
    for (uint32_t left = hem_between(8, 14); left > 0; left--)
        interpret(variables, n_code);
    for (uint32_t i = 0; i < 26; i++)
        hem_result(variables[i]);
}
