// What `npm run check` does before the unit tests: lint takes longest and needs one core, so all else runs beside it. What each
// step prints comes when it has ended, in one piece.
import { spawn } from 'node:child_process';

/** Scripts of `package.json`, in two lanes. */
const lanes = [['lint:code'], ['types', 'format', 'dead-code', 'lint:contract', 'lint:compose']];

/** @returns {Promise<boolean>} whether it succeeded */
function run(script) {
  const begun = Date.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  }
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      const seconds = Math.round((Date.now() - begun) / 1_000);
      const end = code === 0 ? 'passed' : `failed, exit code ${code}`;
      process.stdout.write(`\n==> npm run ${script}: ${end} (${seconds} s)\n${printed}`);
      done(code === 0);
    });
  });
}

const failed = [];
await Promise.all(
  lanes.map(async (scripts) => {
    for (const script of scripts) if (!(await run(script))) failed.push(script);
  }),
);
if (failed.length > 0) {
  process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
