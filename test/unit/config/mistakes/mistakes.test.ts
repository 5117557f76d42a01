// The table of mistakes: what people write, and what they read of it, side by side in `mistakes.txt`. A hint that
// proposes a text is followed, and the configuration must then be accepted. After a change of the words:
//
//   npx vitest run test/unit/config/mistakes -u
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import { loadFiles } from '../load.ts';
import { frames, neighbours, type FrameName } from './frames.ts';
import { followHint, proposes } from './follow-hint.ts';
import { mistakes, type Mistake } from './rows.ts';

const load = async (text: string, beside: Mistake['beside'] = {}) => {
  const { diagnostics } = await loadFiles({ ...neighbours, ...beside, 'a.yaml': text });
  return diagnostics;
};

const show = ({ severity, code, summary, hint }: Diagnostic): string =>
  `    ${severity} [${code}] ${summary}\n    ${hint ?? ''}`;

/** The text after every hint that can be followed word by word was followed, the last in the file first. */
const followAll = (text: string, diagnostics: readonly Diagnostic[]): string =>
  [...diagnostics].reverse().reduce((made, one) => followHint(made, one) ?? made, text);

async function tryMistake(frame: FrameName, { written, followed, beside }: Mistake) {
  const text = frames[frame](written);
  const diagnostics = await load(text, beside);
  const mended = followed === undefined ? followAll(text, diagnostics) : frames[frame](followed);
  const isProposed = diagnostics.some(({ hint }) => proposes(hint ?? ''));
  const left = mended === text ? undefined : await load(mended, beside);
  const shown = [
    `${frame}  ${written.replaceAll('\n', '\n      | ')}`,
    ...diagnostics.map(show),
    ...(followed === undefined ? [] : [`    → ${followed.replaceAll('\n', '\n      | ')}`]),
  ];
  return { shown: shown.join('\n'), diagnostics, isProposed, left };
}

describe('a mistake', () => {
  const shown: string[] = [];
  it.each(mistakes)('in %s: %j', async (frame, mistake) => {
    const { shown: lines, diagnostics, isProposed, left } = await tryMistake(frame, mistake);
    shown.push(lines);
    expect(diagnostics, 'nobody says a word').not.toEqual([]);
    if (isProposed) expect(left, 'its hint was not followed').toBeDefined();
    expect(
      left?.map(({ summary, hint }) => `${summary}: ${hint}`) ?? [],
      'its hint, followed, leads to',
    ).toEqual([]);
  });

  it('reads as it did', async () => {
    await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('mistakes.txt');
    expect(shown.length).toBe(mistakes.length);
  });
});

it.each(Object.keys(frames).filter((name) => name !== 'file'))(
  'without a mistake, %s is accepted',
  async (name) => {
    const right: Record<string, string> = { top: '', project: 'networks: {}', vm: 'name: w' };
    const others: Record<string, string> = { forward: 'vm: web', local: 'a', expression: '1' };
    expect(await load(frames[name as FrameName](right[name] ?? others[name] ?? ''))).toEqual([]);
  },
);
