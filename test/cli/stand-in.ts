import { execFile } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { runInProcess } from './run-in-process.ts';

/** A program that stands in for `hostwright`. */
export interface StandIn {
  /** The words of every call so far. */
  readonly calls: readonly (readonly string[])[];
  close(): void;
}

/**
 * Writes a program `hostwright` into a folder for scripts that call it: it hands its words, its environment and its directory
 * over to this process, which runs the command line, and ends as that did. It takes a fraction of the second that the program
 * takes to start. For scripts that give it no input and do not signal to it.
 */
export async function openStandIn(folder: string): Promise<StandIn> {
  const calls: string[][] = [];
  const room = join(folder, 'calls');
  await mkdir(room);
  const announced = join(room, 'announced');
  await promisify(execFile)('mkfifo', [announced]);
  const script = `#!/bin/sh
call='${room}'/$$
mkdir "$call" && mkfifo "$call/code"
for word; do printf '%s\\0' "$word"; done >"$call/words"
env -0 >"$call/env"
pwd >"$call/cwd"
echo "$call" >'${announced}'
read -r code <"$call/code"
cat "$call/stdout"
cat "$call/stderr" >&2
rm -r "$call"
exit "$code"
`;
  await writeFile(join(folder, 'hostwright'), script, { mode: 0o755 });

  const answer = async (call: string): Promise<void> => {
    const read = (name: string) => readFile(join(call, name), 'utf8');
    const words = (await read('words')).split('\0').slice(0, -1);
    const variables = (await read('env')).split('\0').slice(0, -1);
    calls.push(words);
    const env = Object.fromEntries(
      variables.map((one): [string, string] => {
        const at = one.indexOf('=');
        return [one.slice(0, at), one.slice(at + 1)];
      }),
    );
    const cwd = (await read('cwd')).trimEnd();
    const ended = await runInProcess(words, { cwd, env }).catch((error: unknown) => ({
      ...{ code: 70, stdout: '', stderr: `The command line broke: ${String(error)}\n` },
    }));
    await writeFile(join(call, 'stdout'), ended.stdout);
    await writeFile(join(call, 'stderr'), ended.stderr);
    await writeFile(join(call, 'code'), `${ended.code}\n`);
  };

  // Open for both, so that it does not end with the one who wrote last.
  const fd = openSync(announced, constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  const lines = createInterface({ input: socket });
  lines.on('line', (call) => void answer(call));
  return {
    calls,
    close() {
      lines.close();
      socket.destroy();
    },
  };
}
