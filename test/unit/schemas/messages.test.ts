// How the program speaks: every message that it can show, and the comments and names of its source.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Message {
  readonly code: string;
  readonly summaries: readonly string[];
  readonly hints: readonly string[];
}

const root = resolve(import.meta.dirname, '../../..');
const messages = JSON.parse(
  readFileSync(join(root, 'schemas/diagnostics.json'), 'utf8'),
) as readonly Message[];

/** What a hint may begin with: what to do, or when to do it. */
const openings = new Set(
  (
    'Add Adopt Allow Apply Ask Begin Bind Call Change Check Choose Close Compare Configure Continue Convert Copy ' +
    'Correct Declare Decrypt Delete Destroy Did Do Drop End Find Fix Free Get Give Have If Install Join Keep Leave List Look ' +
    'Loop Lower Make Move Name Narrow Omit Order Pass Plan Point Print Put Read Release Remove Repeat Restore Revoke ' +
    'Run Save See Set Shorten Show Split Spread Start Synchronize To Try Use Wait Write'
  ).split(' '),
);

/** Phrases that nobody in the field uses. */
const banned =
  /\b(?:(?:is|are) told(?! apart)|in earnest|what is ours|(?:is|are|was|were|be) ours|of ours|what needs what|looks? whether|let(?:ting)? go of|stands? under|stands in the way|in its stride|the state say|Given is|Written are|Known here|Mend)\b/;

/** Names that the field has other names for. */
const bannedNames =
  /\b(?:settleLate|lateValue|weighBackups|makeRoom|obstacles|syncState|refuge|withhold|salesDesk|freshLook|surroundings|judge|awaitRoom|errand|fate|fates)\b/;

const longest = 25;

const withPlace = (pick: (message: Message) => readonly string[]) =>
  messages.flatMap((message) => pick(message).map((text) => ({ code: message.code, text })));

describe('a message', () => {
  const hints = withPlace(({ hints }) => hints);
  const all = [...hints, ...withPlace(({ summaries }) => summaries)];

  test('hints at what to do, with a verb first', () => {
    const others = hints
      // What is put together from parts begins with a part.
      .filter(({ text }) => !text.startsWith('<'))
      .filter(({ text }) => !openings.has(/^\w+/.exec(text)?.[0] ?? ''));
    expect(others).toEqual([]);
    expect(hints.length).toBeGreaterThan(300);
  });

  test('has no sentence that is long', () => {
    const long = all.flatMap(({ code, text }) =>
      text
        .split(/(?<=[.!?])\s+/)
        .filter((sentence) => sentence.split(/\s+/).length > longest)
        .map((sentence) => `${code}: ${sentence}`),
    );
    expect(long).toEqual([]);
  });

  test('uses the words of the field', () =>
    expect(all.filter(({ text }) => banned.test(text))).toEqual([]));
});

describe('the source', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    // Made from the contract, whose words are the service's.
    .filter((path) => path.endsWith('.ts') && !path.startsWith(join('api', 'contract')))
    .map((path) => ({ path, lines: readFileSync(join(root, 'src', path), 'utf8').split('\n') }));
  const isComment = (line: string) => /^\s*(?:\*|\/\/|\/\*)/.test(line);
  const find = (pattern: RegExp, isWanted: (line: string) => boolean) =>
    files.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        isWanted(line) && pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
    );

  test('explains itself in the words of the field', () =>
    expect(find(banned, isComment)).toEqual([]));

  test('names things as the field does', () =>
    expect(find(bannedNames, (line) => !isComment(line))).toEqual([]));
});
