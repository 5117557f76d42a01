// The built program, and sandboxes that it works on.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const program = join(root, 'dist/main.js');

/** The environment without what leads to an account; with the sandbox of a case. */
const buildEnvironment = (more) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTWRIGHT_')),
  ),
  ...more,
});

/** Runs the program; resolves to what it prints. A plan that is refused is one, too. */
export function run(args, { cwd, env, mayFail = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: buildEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 || mayFail
        ? resolve(output)
        : reject(new Error(`${args.join(' ')} answered ${code}:\n${errors}`)),
    );
  });
}

/** Starts a sandbox; `env` leads the program to it. */
export function serveSandbox(...flags) {
  const args = [program, 'sandbox', '--port', '0', '--json', '--quiet', ...flags];
  const child = spawn(process.execPath, args, {
    env: buildEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout.setEncoding('utf8').once('data', (text) => {
      const { baseUrl, token } = JSON.parse(text);
      resolve({
        origin: new URL(baseUrl).origin,
        env: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
        close: () => child.kill(),
      });
    });
  });
}
