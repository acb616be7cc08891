/* The phase runtime: counts basic blocks, ends a phase every GRANULARITY of them, and says what each phase cost.
 *
 *   ./program SEED SCALE GRANULARITY       (GRANULARITY 0: one phase, the whole run)
 *
 * Natively it prints, for every phase, the time-stamp counter's difference ("cycles N"). Under Valgrind it asks callgrind for a dump
 * at the end of every phase instead, so that phase i of the one is phase i of the other. In both it then prints the stages
 * ("stage NAME PHASE BLOCKS": the stage began BLOCKS basic blocks into phase PHASE), the basic blocks of the last phase, which may be
 * fewer than GRANULARITY ("last BLOCKS"), and the checksum ("result HEX").
 *
 * Only hem_main() and what it calls is measured: callgrind starts with its instrumentation off and cold caches.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#include <valgrind/callgrind.h>

#include "hem.h"

#define ARENA_BYTES (64u << 20)
#define MAX_PHASES (1u << 16)
#define MAX_STAGES 256u
#define STACK_BYTES (1u << 20)

uint64_t hem_state;
uint64_t hem_blocks_left = UINT64_MAX; /* counted down by the callback below */

static unsigned char arena[ARENA_BYTES] __attribute__((aligned(65536)));
static unsigned char stack[STACK_BYTES] __attribute__((aligned(65536)));
static size_t arena_used;
static uint64_t granularity;
static uint64_t cycles[MAX_PHASES];
static uint32_t n_phases;
static uint64_t phase_start;
static int under_valgrind;
static uint64_t checksum = 1469598103934665603ULL;
static struct {
    const char *name;
    uint32_t phase;
    uint64_t blocks;
} stages[MAX_STAGES];
static uint32_t n_stages;
static uint32_t seed, scale;
static uint64_t last_blocks;

static void fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    exit(2);
}

/* Called by gcc's -fsanitize-coverage=trace-pc at every basic block, as an ordinary function. Three instructions where no phase ends,
 * one load, one store and one branch: a constant cost a block, which is part of what is measured. */
__asm__(".text\n"
        ".globl __sanitizer_cov_trace_pc\n"
        ".type __sanitizer_cov_trace_pc, @function\n"
        "__sanitizer_cov_trace_pc:\n"
        "    subq $1, hem_blocks_left(%rip)\n"
        "    je 1f\n"
        "    ret\n"
        "1:  jmp hem_phase_end\n"
        ".size __sanitizer_cov_trace_pc, .-__sanitizer_cov_trace_pc\n");

__attribute__((noinline, used)) void hem_phase_end(void)
{
    if (under_valgrind) {
        CALLGRIND_DUMP_STATS;
        n_phases++;
    } else {
        uint64_t now = __rdtsc();
        if (n_phases == MAX_PHASES)
            fail("too many phases for one run: choose a larger granularity");
        cycles[n_phases++] = now - phase_start;
        phase_start = __rdtsc();
    }
    hem_blocks_left = granularity;
}

void *hem_alloc(size_t bytes)
{
    size_t padded = (bytes + 63) & ~(size_t)63;
    if (padded > ARENA_BYTES - arena_used)
        fail("the program asks for more memory than the arena has");
    unsigned char *memory = arena + arena_used;
    arena_used += padded;
    if (!under_valgrind) {
        /* The system's work at the first touch of a page (thousands of ticks, and millions where it clears a huge page) is not the
         * program's: it is done here, and its time is taken out of the phase. */
        uint64_t start = __rdtsc();
        for (size_t at = 0; at < padded; at += 4096)
            *(volatile unsigned char *)(memory + at) = 0;
        phase_start += __rdtsc() - start;
    }
    return memory;
}

void hem_stage(const char *name)
{
    if (n_stages == MAX_STAGES)
        fail("too many stages for one run");
    stages[n_stages].name = name;
    stages[n_stages].phase = n_phases;
    stages[n_stages].blocks = granularity ? granularity - hem_blocks_left : 0;
    n_stages++;
}

void hem_result(uint64_t value)
{
    checksum = (checksum ^ value) * 1099511628211ULL;
}

__attribute__((noinline, used)) void hem_measured(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    phase_start = __rdtsc();
    hem_main(seed, scale);
    last_blocks = granularity - hem_blocks_left;
    hem_phase_end();
    CALLGRIND_STOP_INSTRUMENTATION;
}

static uint64_t whole_number(const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text || *end)
        fail("SEED, SCALE and GRANULARITY are whole numbers");
    return value;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        fail("usage: program SEED SCALE GRANULARITY");
    seed = (uint32_t)whole_number(argv[1]);
    scale = (uint32_t)whole_number(argv[2]);
    granularity = whole_number(argv[3]);
    under_valgrind = RUNNING_ON_VALGRIND != 0;
    hem_blocks_left = granularity ? granularity : UINT64_MAX;
    hem_state = (seed + 1) * 0x9E3779B97F4A7C15ULL;
    for (int i = 0; i < 8; i++)
        (void)hem_random();
    if (!under_valgrind) { /* so do the first touches of the record and of the stack: they come before the first phase */
        for (uint32_t i = 0; i < MAX_PHASES; i += 512)
            *(volatile uint64_t *)&cycles[i] = 0;
        for (size_t at = 0; at < STACK_BYTES; at += 4096)
            *(volatile unsigned char *)(stack + at) = 0;
    }

    /* The measured part runs on a stack of its own at a fixed address: where the system puts the first stack depends on the
     * environment, and the cache sets that it falls into with it. */
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%rsp\n\tcall hem_measured\n\tmovq %%rbx, %%rsp"
                     :
                     : "r"(stack + STACK_BYTES)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2",
                       "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");

    if (under_valgrind)
        printf("phases %" PRIu32 "\n", n_phases);
    else
        for (uint32_t i = 0; i < n_phases; i++)
            printf("cycles %" PRIu64 "\n", cycles[i]);
    for (uint32_t i = 0; i < n_stages; i++)
        printf("stage %s %" PRIu32 " %" PRIu64 "\n", stages[i].name, stages[i].phase, stages[i].blocks);
    if (granularity)
        printf("last %" PRIu64 "\n", last_blocks);
    printf("result %016" PRIx64 "\n", checksum);
    return 0;
}
