// A process that takes the lock of a directory, says how that went, and ends in the way it is told to.
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { acquireLock } from '../../../src/state/lock/lock.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

const [directory = '', ending = ''] = process.argv.slice(2);

const say = (text: string) => process.stdout.write(`${text}\n`);

say('ready');
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('data', resolve));

try {
  const lock = await acquireLock(
    openLocalBackend(directory).lock,
    {
      operation: 'apply',
      version: '0.1.0',
      process: { pid: process.pid, host: hostname(), user: 'child' },
    },
    { clock: { now: Date.now, sleep: (ms) => sleep(ms) } },
  );
  if (ending === 'drain') {
    process.once('SIGTERM', () => {
      say('draining');
      setTimeout(() => process.exit(130), 50);
    });
  }
  say(['won', ...lock.diagnostics.map(({ code }) => code)].join(' '));
  if (ending === 'exit') process.exitCode = 3;
  if (ending === 'exit') process.stdin.destroy();
  if (ending === 'throw') throw new Error('a bug');
} catch (error) {
  if (!(error instanceof DiagnosticError)) throw error;
  say(`lost ${error.diagnostics[0]?.code ?? ''}`);
  process.stdin.destroy();
}
