/* What a sample program sees of the phase runtime.
 *
 * A program is one C file that defines hem_main(). It uses nothing of libc: memory comes from a static arena and numbers from a
 * seeded generator, so that a seed gives the same work, instruction for instruction, wherever the same compiler built it.
 */
#ifndef HEM_H
#define HEM_H

#include <stddef.h>
#include <stdint.h>

/* The program. `seed` decides the size and the content of the input; `scale` multiplies the amount of work, in percent. */
void hem_main(uint32_t seed, uint32_t scale);

/* `bytes` of zeroed memory on a 64-byte line of the 64 MiB arena; ends the process with a message when the arena is used up. */
void *hem_alloc(size_t bytes);

/* Marks the start of a stage of the program, for data whose true boundaries are wanted; a name has no blanks. */
void hem_stage(const char *name);

/* Folds a value into the checksum that is printed at the end, so that the work cannot be optimised away. */
void hem_result(uint64_t value);

/* The generator's state (xorshift64*); the runtime seeds it before hem_main(). */
extern uint64_t hem_state;

static inline uint32_t hem_random(void)
{
    hem_state ^= hem_state >> 12;
    hem_state ^= hem_state << 25;
    hem_state ^= hem_state >> 27;
    return (uint32_t)((hem_state * 2685821657736338717ULL) >> 32);
}

/* A whole number in [0, bound). */
static inline uint32_t hem_below(uint32_t bound)
{
    return (uint32_t)(((uint64_t)hem_random() * bound) >> 32);
}

/* A whole number in [low, high]. */
static inline uint32_t hem_between(uint32_t low, uint32_t high)
{
    return low + hem_below(high - low + 1);
}

/* A real number in [0, 1). */
static inline double hem_uniform(void)
{
    return hem_random() * (1.0 / 4294967296.0);
}

/* `work` scaled by `scale` percent, at least 1. */
static inline uint32_t hem_scaled(uint32_t work, uint32_t scale)
{
    uint64_t scaled = (uint64_t)work * scale / 100;
    return scaled ? (uint32_t)scaled : 1;
}

static inline double hem_sqrt(double x)
{
    return __builtin_sqrt(x);
}

#endif
