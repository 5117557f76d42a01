/**
 * `npm run demo`: the main job, as a user would type it. Plans and applies a copy of examples/quickstart on the
 * embedded sandbox, then plans again, which must find no changes. Exits 1 when anything fails, and leaves nothing
 * behind. It never reaches a real account: the variables that would point it at one are taken out.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'dist/main.js');

const steps = [
  { says: 'What would be created? A plan reads the account and changes nothing.', args: ['plan'] },
  {
    says: 'Now for real: create it, and wait until all of it is there.',
    args: ['apply', '--auto-approve'],
  },
  {
    // With --detailed-exitcode, plan answers 0 only when there is nothing left to change.
    says: 'And once more: is the account what the configuration says?',
    args: ['plan', '--detailed-exitcode'],
  },
];

/** The environment without what leads to an account, and with colour only where a terminal shows it. */
function buildEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTWRIGHT_'));
  return Object.fromEntries(kept);
}

/** Runs the program in a directory, on this process's own streams. Resolves to its exit code. */
function run(args, cwd, onStart) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: buildEnvironment(),
      stdio: 'inherit',
    });
    onStart(child);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal === null ? code : 1));
  });
}

function say(text, format) {
  console.log(process.stdout.isTTY ? styleText(format, text) : text);
}

async function runSteps(directory, onStart) {
  for (const { says, args } of steps) {
    say(`\n# ${says}`, 'dim');
    say(`$ npx hostwright ${args.join(' ')}`, 'bold');
    const code = await run(args, directory, onStart);
    if (code === 0) continue;
    console.error(`\nThe demo failed: "hostwright ${args.join(' ')}" answered ${code}, not 0.`);
    return 1;
  }
  say('\nThe demo is done: planned, applied, and nothing left to change.', 'green');
  return 0;
}

async function main() {
  if (!existsSync(program)) {
    console.error('There is no dist/main.js yet. Run "npm ci" or "npm run build" first.');
    return 1;
  }
  const parent = await mkdtemp(join(tmpdir(), 'hostwright-demo-'));
  const directory = join(parent, 'quickstart');
  let child;
  // Ctrl-C reaches the program by itself, which ends in good order; this process waits for it and then cleans up.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child?.kill('SIGTERM'));
  try {
    await cp(join(root, 'examples/quickstart'), directory, {
      recursive: true,
      filter: (path) => basename(path) !== '.hostwright',
    });
    console.log('examples/quickstart, copied to a directory of its own, on the embedded sandbox');
    return await runSteps(directory, (started) => (child = started));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

process.exitCode = await main();
