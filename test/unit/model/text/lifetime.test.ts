import { describe, expect, it } from 'vitest';
import { formatLifetime, parseLifetime } from '../../../../src/model/text/lifetime.ts';

const hourMs = 3_600_000;

describe('lifetimes', () => {
  it.each([
    ['90d', 90 * 24 * hourMs],
    ['12h', 12 * hourMs],
    ['45m', hourMs * 0.75],
    ['1d12h30m', 36.5 * hourMs],
    ['0m', 0],
    ['', undefined],
    ['d', undefined],
    ['1h1d', undefined],
    ['1.5h', undefined],
    ['-1d', undefined],
    ['1w', undefined],
  ])('%j is %s ms', (text, ms) => expect(parseLifetime(text)).toBe(ms));

  it.each([
    [90 * 24 * hourMs, '90d'],
    [36.5 * hourMs, '1d12h30m'],
    [hourMs, '1h'],
    [29_000, '1m'],
    [0, '1m'],
  ])('%d ms are %s', (ms, text) => expect(formatLifetime(ms)).toBe(text));
});
