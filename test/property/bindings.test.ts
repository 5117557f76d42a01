// Whatever a service calls what the contract has, no line of its derived binding is wrong.
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readBinding } from '../../src/config/contract/read-binding.ts';
import type { Binding } from '../../src/model/account/binding.ts';
import { deriveBinding } from '../../src/binding/derive-binding.ts';
import { countRuns } from '../support/budget/budget.ts';
import { buildDialectDocument } from '../support/dialects/build-dialect-document.ts';
import { findWrongLines } from '../support/dialects/find-wrong-lines.ts';
import { spellForeign } from '../support/dialects/foreign-words.ts';
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

const draws = countRuns(1_000, { short: 1, ci: 4 });

const projectsOf = ({ operations = {} }: Binding) =>
  (operations.createProject ?? 'POST /projects').replace(/^[A-Z]+ /, '');

test.each(['plain', 'among look-alikes', 'spoiled', 'in words of nobody'])(
  'documents that are %s',
  (how) => {
    const open: number[] = [];
    for (let seed = 0; seed < draws; seed += 1) {
      const random = drawFrom(seed);
      const plain = drawDialect(random, random());
      const { binding, style } =
        how === 'in words of nobody'
          ? spellForeign(plain, random, 1 + Math.floor(random() * 6))
          : plain;
      const written = structuredClone(buildDialectDocument(binding, style));
      if (how !== 'plain') addLookAlikes(written, projectsOf(binding));
      if (how === 'spoiled') spoilDocument(written, random);
      const derived = deriveBinding(written);
      const wrong = findWrongLines(derived.binding, binding);
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
      const { diagnostics } = readBinding(stringify(derived.binding), 'hosting.contract.yaml');
      expect({ seed, diagnostics }).toEqual({ seed, diagnostics: [] });
      // A record that the document does not describe can only be asked about, member by member.
      const asked = derived.rows.filter(
        ({ is, why }) => is === 'open' && why !== 'nothing describes it',
      );
      open.push(asked.length);
    }
    open.sort((one, other) => one - other);
    expect(open[Math.floor(open.length / 2)]).toBeLessThanOrEqual(5);
    if (how !== 'in words of nobody') expect(open.at(-1)).toBeLessThanOrEqual(12);
  },
);
