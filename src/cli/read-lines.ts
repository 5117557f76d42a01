import { createInterface } from 'node:readline';
import type { LineReader, LineEditorSettings, EnteredLine } from '../model/runtime.ts';

/** The streams of a process that lines are read from and asked for on. */
interface LineStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * Opens a reader of input lines. On a terminal it prompts for each line and offers editing, history and completion; from a pipe
 * or a file it reads the lines as they are.
 */
export function openLineReader(
  { input, output }: LineStreams,
  settings: LineEditorSettings,
): LineReader {
  const isTerminal = input.isTTY === true && output.isTTY === true;
  const lines = createInterface({
    input,
    terminal: isTerminal,
    crlfDelay: Infinity,
    ...(isTerminal && { output, completer: (line: string) => settings.complete(line) }),
  });
  const read: EnteredLine[] = [];
  let wake: (() => void) | undefined;
  const take = (line: EnteredLine) => {
    read.push(line);
    wake?.();
  };
  lines.on('line', (text) => take({ kind: 'line', text }));
  lines.once('close', () => take({ kind: 'end' }));
  // On a terminal it takes the keys itself, so that Ctrl-C is no signal: it throws away what was typed.
  lines.on('SIGINT', () => {
    if (lines.line === '') {
      lines.close();
      return;
    }
    output.write('^C\n');
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    take({ kind: 'cancelled' });
  });
  return {
    isTerminal,
    async next(prompt) {
      if (read.length === 0 && isTerminal) {
        lines.setPrompt(prompt);
        lines.prompt();
      }
      if (read.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      return read.shift() ?? { kind: 'end' };
    },
    close: () => lines.close(),
  };
}
