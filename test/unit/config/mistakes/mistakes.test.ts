// Two tables of what people write, and what they read of it. Of `mistakes.txt`, a hint that proposes a text is followed, and
// the configuration must then be accepted; `faults.txt` has the places and the details of each. To add a mistake, write its
// first line; then, and after a change of the words:
//
//   npx vitest run test/unit/config/mistakes -u
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import { loadFiles } from '../load.ts';
import { frames, neighbours, type FrameName } from './frames.ts';
import { followHint, proposes } from './follow-hint.ts';
import { formatBlock, readTable, type Mistake } from './read-table.ts';

const load = (text: string) => loadFiles({ ...neighbours, 'a.yaml': text });

const show = ({ severity, code, summary, hint }: Diagnostic): string =>
  `${severity} [${code}] ${summary}. ${hint ?? ''}`;

const showWhole = ({ code, source, summary, detail, hint }: Diagnostic): string =>
  `${source?.line}:${source?.column} [${code}] ${[`${summary}.`, detail ?? [], hint]
    .flat()
    .join(' ')
    .replaceAll(/\s*\n\s*/g, ' ')}`;

/** The text after every hint that can be followed word by word was followed, the last in the file first. */
const followAll = (text: string, diagnostics: readonly Diagnostic[]): string =>
  [...diagnostics].reverse().reduce((made, one) => followHint(made, one) ?? made, text);

const title = ({ frame, written }: Mistake) => [frame, written] as const;

describe('a mistake', () => {
  const mistakes = readTable('mistakes.txt');
  const shown: string[] = [];
  it.each(mistakes.map((one) => [...title(one), one] as const))(
    'in %s: %j',
    async (frame, written, mistake) => {
      const text = frames[frame](written);
      const { diagnostics } = await load(text);
      const { followed } = mistake;
      const mended =
        followed === undefined ? followAll(text, diagnostics) : frames[frame](followed);
      const left = mended === text ? undefined : (await load(mended)).diagnostics;
      shown.push(formatBlock(mistake, diagnostics.map(show)));
      expect(diagnostics, 'nobody says a word').not.toEqual([]);
      if (diagnostics.some(({ hint }) => proposes(hint ?? '')))
        expect(left, 'its hint was not followed').toBeDefined();
      expect(
        left?.map(({ summary, hint }) => `${summary}: ${hint}`) ?? [],
        'its hint, followed, leads to',
      ).toEqual([]);
    },
  );

  it('reads as it did', async () => {
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('mistakes.txt');
    expect(shown.length).toBe(mistakes.length);
  });
});

describe('a fault', () => {
  const faults = readTable('faults.txt');
  const shown: string[] = [];
  it.each(faults.map((one) => [...title(one), one] as const))(
    'in %s: %j',
    async (frame, written, fault) => {
      const { diagnostics, configuration } = await load(frames[frame](written));
      shown.push(formatBlock(fault, diagnostics.map(showWhole)));
      expect(configuration).toBeUndefined();
      expect(diagnostics).not.toEqual([]);
      for (const { summary, hint, source } of diagnostics) {
        expect(summary).not.toMatch(/\.$|\n/);
        expect(hint).toBeTruthy();
        expect(source?.file).toBe('a.yaml');
        expect(source?.frame).toContain('^');
      }
    },
  );

  it('reads as it did', async () => {
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('faults.txt');
    expect(shown.length).toBe(faults.length);
  });
});

it.each(Object.keys(frames).filter((name) => !['file', 'version', 'shop'].includes(name)))(
  'without a mistake, %s is accepted',
  async (name) => {
    const right: Record<string, string> = { top: '', project: 'networks: {}', vm: 'name: w' };
    const others: Record<string, string> = { forward: 'vm: web', local: 'a', expression: '1' };
    const { diagnostics } = await load(
      frames[name as FrameName](right[name] ?? others[name] ?? ''),
    );
    expect(diagnostics).toEqual([]);
  },
);
