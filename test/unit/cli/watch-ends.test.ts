import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { watchProcessEnd } from '../../../src/cli/watch-ends.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

/** A process that notes how it was ended, and goes on. */
function openProcess(isTTY = false) {
  const story: (string | number)[] = [];
  const process = Object.assign(new EventEmitter(), {
    exit: (code: number) => void story.push(code),
    pid: 7,
    kill: (pid: number, signal: string) => void story.push(`${signal} to ${pid}`),
  });
  const stderr = { write: (text: string) => void story.push(text), isTTY };
  const ends = watchProcessEnd(process, { ...silentRuntime.stderr, ...stderr });
  return { ...ends, story, send: (event: string, reason?: unknown) => process.emit(event, reason) };
}

describe('an interrupt', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 130],
    ['SIGHUP', 129],
  ])('%s ends what nobody holds with %d', (signal, code) => {
    const { story, send, interrupted } = openProcess();
    send(signal);
    expect(story.at(-1)).toBe(code);
    expect(story.join('')).toBe(String(code));
    expect(interrupted.aborted).toBe(false);
  });

  test('ends the line that a terminal has begun with ^C', () => {
    const { story, send } = openProcess(true);
    send('SIGINT');
    expect(story).toEqual(['\n', 130]);
  });

  test('that is held tells of it, and the next one ends the process', () => {
    const { story, send, interrupted, holdInterrupts, beforeAbruptEnd } = openProcess();
    holdInterrupts(() => story.push('held'));
    beforeAbruptEnd(() => story.push('cleaned'));
    send('SIGINT');
    expect(story).toEqual(['held']);
    expect(interrupted.aborted).toBe(true);
    send('SIGTERM');
    expect(story).toEqual(['held', 'cleaned', 'Interrupted again: stopped at once.\n', 130]);
  });

  test('that was let go again ends the process', () => {
    const { story, send, holdInterrupts } = openProcess();
    holdInterrupts(() => story.push('held'))();
    send('SIGTERM');
    expect(story).toEqual(['', 130]);
  });

  test('by a lost terminal is never a second one', () => {
    const { story, send, holdInterrupts } = openProcess();
    holdInterrupts(() => story.push('held'));
    send('SIGHUP');
    send('SIGHUP');
    expect(story).toEqual(['held']);
  });
});

describe('a bug', () => {
  test('is told with its cause, below what is left of the screen', () => {
    const { story, send, beforeAbruptEnd } = openProcess();
    beforeAbruptEnd(() => story.push('cleaned'));
    beforeAbruptEnd(() => story.push('not any more'))();
    send('uncaughtException', new Error('broken', { cause: new Error('deep down') }));
    const [first, words, code] = story;
    expect([first, code]).toEqual(['cleaned', 1]);
    expect(words).toContain('This is a bug in Hostwright. What was recorded before it is safe.');
    expect(words).toMatch(/Error: broken[^]+Caused by: Error: deep down/);
  });

  test('need not be an error', () => {
    const { story, send } = openProcess();
    send('uncaughtException', 'just a text');
    expect(story.join('')).toContain('just a text');
  });
});

test('Ctrl-Z: what is drawn is taken away before the process stops, and drawn again when it goes on', () => {
  const { story, send, aroundSuspension } = openProcess(true);
  const work = { before: () => void story.push('cleared'), after: () => void story.push('drawn') };
  const letGo = aroundSuspension(work);
  send('SIGTSTP');
  send('SIGCONT');
  expect(story).toEqual(['cleared', 'SIGSTOP to 7', 'drawn']);
  letGo();
  send('SIGTSTP');
  send('SIGCONT');
  expect(story).toHaveLength(3);
});
