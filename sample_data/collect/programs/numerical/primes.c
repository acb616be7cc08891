/* A sieve of Eratosthenes, then Miller-Rabin tests and modular powers: byte stores first, long divisions afterwards. */
#include "hem.h"

static uint32_t sieve(uint8_t *composite, uint32_t limit, uint32_t *primes)
{
    uint32_t count = 0;
    for (uint32_t i = 2; i < limit; i++) {
        if (composite[i])
            continue;
        primes[count++] = i;
        for (uint64_t j = (uint64_t)i * i; j < limit; j += i)
            composite[j] = 1;
    }
    return count;
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;
    base %= modulus;
    while (exponent > 0) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return result;
}

/* Miller-Rabin with the bases that decide every 32-bit number. */
static int is_prime(uint32_t n)
{
    static const uint32_t bases[3] = {2, 7, 61};
    if (n < 62)
        return n == 2 || n == 61;
    if (n % 2 == 0)
        return 0;
    uint32_t odd = n - 1, twos = 0;
    while (odd % 2 == 0) {
        odd /= 2;
        twos++;
    }
    for (uint32_t b = 0; b < 3; b++) {
        uint64_t x = power(bases[b], odd, n);
        if (x == 1 || x == n - 1)
            continue;
        uint32_t i = 1;
        for (; i < twos && x != n - 1; i++)
            x = x * x % n;
        if (x != n - 1)
            return 0;
    }
    return 1;
}

/* The number of prime factors of `n`, by trial division. */
static uint32_t factors(uint32_t n, const uint32_t *primes, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && (uint64_t)primes[i] * primes[i] <= n; i++)
        while (n % primes[i] == 0) {
            n /= primes[i];
            found++;
        }
    return found + (n > 1);
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t limit = hem_scaled(hem_between(60000, 200000), scale) + 1000;
    uint32_t tests = hem_scaled(hem_between(1200, 3400), scale);
    uint32_t divisions = hem_scaled(hem_between(300, 1000), scale);
    uint32_t top = hem_between(20, 32);
    uint8_t *composite = hem_alloc(limit);
    uint32_t *primes = hem_alloc((limit / 3 + 8) * sizeof *primes);

    hem_stage("sieve");
    uint32_t count = sieve(composite, limit, primes), found = 0;
    hem_result(count);
    hem_stage("test");
    for (uint32_t i = 0; i < tests; i++)
        found += (uint32_t)is_prime((hem_random() >> (32 - top)) | 1);
    hem_result(found);
    hem_stage("divide");
    for (uint32_t i = 0; i < divisions; i++)
        hem_result(factors(hem_random() >> hem_below(12), primes, count));
}
