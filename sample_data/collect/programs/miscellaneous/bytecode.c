/* A bytecode interpreter with 16 registers that runs generated loops, each with its own mix of instructions. */
#include "hem.h"

enum { ADD, SUB, MUL, DIVIDE, XOR, SHIFT, ROTATE, MOVE, SET, LOAD, STORE, SKIP_LESS, SKIP_ODD, SWAP, COUNT, CALL, LOOP, OPCODES };

#define REGISTERS 16
#define LONGEST 64

struct instruction { uint8_t code, a, b, c; };

static uint32_t *memory, mask, *registers;
static struct instruction *program;

/* Runs the program until its loop has gone round `turns` times; returns the number of instructions. */
static uint32_t run(uint32_t turns)
{
    uint32_t at = 0, steps = 0, held;
    uint32_t *r = registers;
    for (;;) {
        const struct instruction *i = &program[at++];
        steps++;
        switch (i->code) {
        case ADD: r[i->a] = r[i->b] + r[i->c]; break;
        case SUB: r[i->a] = r[i->b] - r[i->c]; break;
        case MUL: r[i->a] = r[i->b] * r[i->c]; break;
        case DIVIDE: r[i->a] = r[i->b] / (r[i->c] | 1); break;
        case XOR: r[i->a] = r[i->b] ^ r[i->c]; break;
        case SHIFT: r[i->a] = r[i->b] >> (i->c & 15); break;
        case ROTATE: r[i->a] = r[i->b] << 7 | r[i->b] >> 25; break;
        case MOVE: r[i->a] = r[i->b]; break;
        case SET: r[i->a] = i->b * 2654435761u + i->c; break;
        case LOAD: r[i->a] = memory[(r[i->b] + i->c) & mask]; break;
        case STORE: memory[(r[i->b] + i->c) & mask] = r[i->a]; break;
        case SKIP_LESS: at += r[i->a] < r[i->b]; break;
        case SKIP_ODD: at += r[i->a] & 1; break;
        case SWAP: held = r[i->a]; r[i->a] = r[i->b]; r[i->b] = held; break;
        case COUNT: /* the number of one bits */
            for (held = r[i->b], r[i->a] = 0; held != 0; held &= held - 1)
                r[i->a]++;
            break;
        case CALL: /* a built-in: sum a few words of memory */
            for (held = 0; held < i->c; held++)
                r[i->a] += memory[(r[i->b] + held) & mask];
            break;
        case LOOP:
            if (--turns == 0)
                return steps;
            at = 0;
            break;
        }
    }
}

/* Fills the program with `length` instructions, drawn with the given weights, and ends it with two jumps back. */
static void generate(uint32_t length, const uint32_t *weights)
{
    uint32_t total = 0;
    for (uint32_t code = 0; code < LOOP; code++)
        total += weights[code];
    for (uint32_t at = 0; at < length; at++) {
        uint32_t drawn = hem_below(total);
        uint8_t code = 0;
        while (drawn >= weights[code])
            drawn -= weights[code++];
        program[at].code = code;
        program[at].a = (uint8_t)hem_below(REGISTERS);
        program[at].b = (uint8_t)hem_below(REGISTERS);
        program[at].c = (uint8_t)hem_below(REGISTERS);
    }
    program[length].code = program[length + 1].code = LOOP; /* the second for when the first is skipped */
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t budget = hem_scaled(hem_between(260000, 480000), scale), weights[LOOP];
    uint32_t words = 1u << hem_between(8, 20), longest = hem_between(8, LONGEST), most_turns = hem_between(200, 900);
    mask = words - 1;
    memory = hem_alloc(words * sizeof *memory);
    registers = hem_alloc(REGISTERS * sizeof *registers);
    program = hem_alloc((LONGEST + 2) * sizeof *program);
    hem_stage("run");
    for (uint32_t steps = 0; steps < budget;) {
        for (uint32_t code = 0; code < LOOP; code++)
            weights[code] = 1 + hem_below(3) * hem_below(12);
        generate(hem_between(6, longest), weights);
        for (uint32_t i = 0; i < REGISTERS; i++)
            registers[i] = hem_random();
        steps += run(hem_between(20, most_turns));
        hem_result(registers[steps % REGISTERS]);
    }
}
