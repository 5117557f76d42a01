// Whatever a service calls what the contract has, no line of its derived binding is wrong.
import { expect, test } from 'vitest';
import { deriveBinding } from '../../src/binding/derive-binding.ts';
import { buildDialectDocument } from '../support/dialects/build-dialect-document.ts';
import { findWrongLines } from '../support/dialects/find-wrong-lines.ts';
import { drawDialect } from '../support/dialects/random-dialect.ts';
import { addLookAlikes, spoilDocument } from '../support/dialects/spoil-document.ts';

/** Numbers from 0 to 1 that a seed gives. */
function drawFrom(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

const draws = process.env.HOSTWRIGHT_TEST_TIER === 'full' ? 1000 : 12;

test.each(['plain', 'among look-alikes', 'spoiled'])('documents that are %s', (how) => {
  const open: number[] = [];
  for (let seed = 0; seed < draws; seed += 1) {
    const random = drawFrom(seed);
    const { binding, style } = drawDialect(random, random());
    const written = structuredClone(buildDialectDocument(binding, style));
    if (how !== 'plain') addLookAlikes(written);
    if (how === 'spoiled') spoilDocument(written, random);
    const derived = deriveBinding(written);
    expect({ seed, wrong: findWrongLines(derived.binding, binding) }).toEqual({ seed, wrong: [] });
    open.push(derived.questions.length);
  }
  open.sort((one, other) => one - other);
  expect(open[Math.floor(open.length / 2)]).toBeLessThanOrEqual(5);
  expect(open.at(-1)).toBeLessThanOrEqual(12);
});
