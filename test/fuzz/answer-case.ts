import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Dice } from '../scenario/simulation/dice.ts';
import { JumpingClock } from '../unit/api/fake-service.ts';
import { describe } from './config-case.ts';
import type { Found } from './found.ts';
import { mutateAnswer } from './mutate-answer.ts';
import { findLeaks, plantedEnvironment, plantedToken } from './planted.ts';
import { runCommand } from './run-command.ts';

const configuration = `version: 1
projects:
  shop:
    sshKeys: { alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICvYBsl/DgCvGh/DMo+nY6kmlyPI24+sT5OvcdsYbW6Q alice } }
    networks: { backend: {} }
    publicIps: { edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: "web[0]", vmPort: 8443 } } } }
    vms:
      web: { count: 2, image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, sshKeys: [alice], networks: [backend] }
tokens: { ci: { scopes: [compute], expiresIn: 90d, writeTo: { file: secrets/ci.token } } }
outputs: { ip: { value: "\${projects.shop.publicIps.edge.address}" } }
`;

/** What is run while the service answers nonsense. */
const commands: readonly (readonly string[])[] = [
  ...[
    ['plan'],
    ['plan'],
    ['plan', '--format', 'json'],
    ['plan', '--format', 'markdown'],
    ['plan', '--adopt'],
  ],
  ...[
    ['plan', '--destroy'],
    ['plan', '--refresh-only'],
    ['apply', '--auto-approve'],
    ['apply', '--auto-approve'],
  ],
  ...[
    ['apply', '--auto-approve', '--json'],
    ['destroy', '--auto-approve'],
    ['export', '--all'],
    ['limits'],
  ],
  ...[
    ['operations', 'projects.shop'],
    ['tokens', 'list'],
    ['tokens', 'list', '--json'],
    ['account'],
  ],
  ...[
    ['notifications', 'list'],
    ['sales'],
    ['vm', 'backups', 'projects.shop.vms.web[0]'],
    ['doctor'],
  ],
  ...[
    ['vm', 'stop', 'projects.shop.vms.web[0]'],
    ['import', 'projects.shop.networks.backend', 'x'],
    ['show'],
  ],
];

/** An account that goes on from case to case, and the state beside it. */
export interface AnswerPlace {
  readonly directory: string;
  readonly clock: JumpingClock;
  readonly sandbox: Sandbox;
}

/** A fresh account, with what the configuration wants in it already. */
export async function openPlace(directory: string, seed: number): Promise<AnswerPlace> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'main.yaml'), configuration);
  const clock = new JumpingClock();
  const sandbox = await openSandbox({
    ...{ dataFile: ':memory:', now: () => clock.now(), seed, token: plantedToken, speed: 20 },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  });
  const place = { directory, clock, sandbox };
  await run(place, ['apply', '--auto-approve'], (request) => sandbox.fetch(request));
  return place;
}

function run(
  { directory, clock }: AnswerPlace,
  args: readonly string[],
  fetch: (request: Request) => Promise<Response>,
) {
  const env = { ...plantedEnvironment, HOSTWRIGHT_BASE_URL: 'https://api.example.test/v1' };
  return runCommand(args, { cwd: directory, env, clock, fetch });
}

/** Runs one command while some of the answers that it gets are others than the service gave. */
export async function runAnswerCase(seed: number, place: AnswerPlace): Promise<Found> {
  const dice = new Dice(seed, 'answers');
  const args = dice.pick(commands);
  const rate = dice.pick([0.02, 0.1, 0.3, 1]);
  const files = { 'main.yaml': configuration, 'command.txt': args.join(' ') };
  let changed = 0;
  try {
    const { code, output } = await run(place, args, async (request) => {
      const answer = await place.sandbox.fetch(request);
      if (!dice.chance(rate)) return answer;
      changed += 1;
      return mutateAnswer(answer, dice);
    });
    const problems = findLeaks(output, []).map((one) => `The output shows ${one}.`);
    if (output.includes('a bug in Hostwright')) problems.push(output);
    if (![0, 1].includes(code)) problems.push(`Exit code ${code}.`);
    if (output.length > 20_000_000) problems.push(`The output has ${output.length} characters.`);
    return { problems, files, cases: changed, output };
  } catch (error) {
    return { problems: [describe(error)], files, cases: changed, output: '' };
  }
}
