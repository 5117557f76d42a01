import { describe, expect, it } from 'vitest';
import { TerminalScreen } from '../../support/terminal-session.mjs';

async function show(parts: readonly string[], columns = 20): Promise<TerminalScreen> {
  const screen = new TerminalScreen(columns, 4);
  for (const part of parts) await screen.write(part);
  return screen;
}

describe('a recording of a terminal', () => {
  it('is the same wherever the pieces end that it came in', async () => {
    const text = 'one\r\n\u001b[32mtwo\u001b[39m and more\r\n\u001b[1A\r\u001b[Jthree\r\n';
    const whole = (await show([text])).readLines();
    expect(whole).toEqual(['one', 'three']);
    for (let at = 1; at < text.length; at += 1) {
      const screen = await show([text.slice(0, at), text.slice(at)]);
      expect(screen.readLines()).toEqual(whole);
      expect(() => {
        screen.check();
      }).not.toThrow();
    }
  });

  it('breaks long lines as a terminal does, keeps colours, and scrolls', async () => {
    const screen = await show(['\u001b[1mabcdef\u001b[0m\r\n', '1\r\n2\r\n3\r\n'], 4);
    expect(screen.readLines()).toEqual(['1', '2', '3']);
    expect(screen.readLines({ isWhole: true })).toEqual([
      ...['\u001b[0m\u001b[1mabcd\u001b[0m', '\u001b[0m\u001b[1mef\u001b[0m', '1', '2', '3'],
    ]);
    screen.check();
  });

  it('fails where a line is shown that was never written', async () => {
    // What is left of a longer line that another one was drawn over.
    const screen = await show(['all of it\r\n\u001b[1A\rsome\r\n']);
    expect(screen.text).toBe('someof it');
    expect(() => {
      screen.check();
    }).toThrow('The program never wrote "someof it".');
  });
});
