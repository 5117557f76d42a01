// A question stands where whoever is to answer sees it.
import { expect, test } from 'vitest';
import { askForConfirmation } from '../../../../src/cli/output/ask-for-yes.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { createRecordingSink } from '../../../support/recording-sink.ts';

const style = createAnsiStyle(false);

test.each([
  // `apply` speaks on standard output, as Terraform does.
  ['stdout', 80, 80, 'stdout', 'edited'],
  ['stdout', undefined, undefined, 'stdout', 'edited'],
  ['stdout', 80, undefined, 'stdout', 'edited'],
  // `apply > file` on a terminal.
  ['stdout', undefined, 80, 'stderr', 'shown'],
  // Day-two commands print nothing there but their result.
  ['stderr', 80, 80, 'stderr', 'edited'],
  ['stderr', undefined, 80, 'stderr', 'shown'],
  ['stderr', undefined, undefined, 'stderr', 'shown'],
] as const)('%s, %s and %s columns: on %s', async (stream, out, err, expected, prompted) => {
  const stdout = createRecordingSink(out);
  const stderr = createRecordingSink(err);
  let asked = '';
  const ask = (prompt: string) => {
    asked = prompt;
    return Promise.resolve('yes');
  };
  expect(await askForConfirmation({ stdout, stderr, ask }, 'Do it?\n', { style, stream })).toBe(
    true,
  );
  const texts = { stdout: stdout.text, stderr: stderr.text };
  expect(texts[expected]).toContain('Do it?\n');
  expect(texts[expected === 'stdout' ? 'stderr' : 'stdout']).toBe('');
  // The prompt is written once: by what reads the line, or before it.
  expect(asked).toBe(prompted === 'edited' ? '  Enter a value: ' : '');
  expect(texts[expected].includes('Enter a value:')).toBe(prompted === 'shown');
});

test.each([
  ['yes', true],
  [' yes ', true],
  ['y', false],
  ['', false],
  [undefined, undefined],
])('%j is %s', async (answer, expected) => {
  const [stdout, stderr] = [createRecordingSink(), createRecordingSink()];
  const ask = () => Promise.resolve(answer);
  const asked = askForConfirmation({ stdout, stderr, ask }, '?', { style, stream: 'stdout' });
  expect(await asked).toBe(expected);
});
