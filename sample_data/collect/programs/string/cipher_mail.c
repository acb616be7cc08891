/* Encrypts messages with an XTEA-like block cipher, encodes them in base64 lines, and undoes both; checks what comes back. */
#include "hem.h"

#define LINE 76

static const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encrypt(uint32_t *block, const uint32_t *key, uint32_t rounds)
{
    uint32_t a = block[0], b = block[1], sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
        sum += 0x9E3779B9u;
        b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
    }
    block[0] = a;
    block[1] = b;
}

static void decrypt(uint32_t *block, const uint32_t *key, uint32_t rounds)
{
    uint32_t a = block[0], b = block[1], sum = 0x9E3779B9u * rounds;
    for (uint32_t i = 0; i < rounds; i++) {
        b -= (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
        sum -= 0x9E3779B9u;
        a -= (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
    }
    block[0] = a;
    block[1] = b;
}

/* Writes `size` bytes (a multiple of 3) as lines of base64; returns the length. */
static uint32_t encode(const uint8_t *bytes, uint32_t size, uint8_t *out)
{
    uint32_t length = 0, column = 0;
    for (uint32_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        for (uint32_t shift = 24; shift > 0; shift -= 6)
            out[length++] = (uint8_t)digits[(group >> (shift - 6)) & 63];
        column += 4;
        if (column == LINE) {
            out[length++] = '\n';
            column = 0;
        }
    }
    return length;
}

static uint32_t decode(const uint8_t *in, uint32_t length, uint8_t *bytes)
{
    uint32_t size = 0, group = 0, held = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint8_t c = in[i];
        uint32_t digit;
        if (c >= 'A' && c <= 'Z')
            digit = c - 'A';
        else if (c >= 'a' && c <= 'z')
            digit = c - 'a' + 26u;
        else if (c >= '0' && c <= '9')
            digit = c - '0' + 52u;
        else if (c == '+' || c == '/')
            digit = c == '+' ? 62 : 63;
        else
            continue;
        group = group << 6 | digit;
        if (++held == 4) {
            bytes[size++] = (uint8_t)(group >> 16);
            bytes[size++] = (uint8_t)(group >> 8);
            bytes[size++] = (uint8_t)group;
            held = 0;
        }
    }
    return size;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t most = hem_between(1000, 2000), rounds = hem_between(4, 40), clear = hem_below(60), zeros = hem_below(90);
    uint32_t left = hem_scaled(hem_between(24000, 44000), scale), key[4];
    uint32_t *words = hem_alloc(24 * (size_t)most);
    uint8_t *mail = hem_alloc(36 * (size_t)most), *back = hem_alloc(24 * (size_t)most);
    while (left > 0) {
        uint32_t blocks = 3 * hem_between(most / 4, most), secret = hem_below(100) >= clear, wrong = 0;
        hem_stage("encrypt");
        for (uint32_t k = 0; k < 4; k++)
            key[k] = hem_random();
        for (uint32_t i = 0; i < 2 * blocks; i++)
            words[i] = hem_below(100) < zeros ? 0 : hem_random();
        for (uint32_t b = 0; secret && b < blocks; b++)
            encrypt(&words[2 * b], key, rounds);
        hem_stage("encode");
        uint32_t length = encode((const uint8_t *)words, 8 * blocks, mail);
        hem_stage("decode");
        uint32_t size = decode(mail, length, back);
        for (uint32_t i = 0; i < size; i++)
            wrong += back[i] != ((const uint8_t *)words)[i];
        hem_stage("decrypt");
        for (uint32_t b = 0; secret && b < blocks; b++)
            decrypt(&words[2 * b], key, rounds);
        hem_result(wrong);
        hem_result(words[2 * blocks - 1]);
        uint32_t cost = size * (24 + (secret ? rounds / 4 : 0)) / 64;
        left = left > cost ? left - cost : 0;
    }
}
