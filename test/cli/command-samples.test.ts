// docs/cli.md shows every command at work: each of its examples is run on an account that has what they name.
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLeaves } from '../../schemas/docs/cli-page.ts';
import { commandFamilies } from '../../src/cli/command-families.ts';
import { listCommandExamples, formatCommandPath } from '../../src/cli/help/examples.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { drawSome } from '../support/budget/budget.ts';
import { root } from '../support/pages/read-pages.ts';
import { SampleStage } from '../support/pages/sample-stage.ts';
import { silentContext } from '../support/silent-runtime.ts';
import { runCommand } from './run-console.ts';
import { openFolder } from '../support/open-folder.ts';

/** Examples that name what only an account of one's own has: the code with which they end on this one. */
const elsewhere: Readonly<Record<string, string>> = {
  'hostwright drift accept projects.shop.vms.web.image': 'no-drift',
  "hostwright ssh 'projects.shop.vms.web[0]'": 'ssh-no-route',
  "hostwright ssh 'projects.shop.vms.web[0]' --user root -- uptime": 'ssh-no-route',
  "hostwright ssh projects.shop.vms.db --via 'projects.shop.vms.web[0]'": 'not-in-state',
  'hostwright state accept projects.shop.vms.db.plugins': 'nothing-to-accept',
  'hostwright state resolve projects.shop.vms.web --id vm-1a2b': 'not-pending',
  'hostwright state resolve projects.shop.vms.web --gone': 'not-pending',
  'hostwright state rollback 12': 'no-such-version',
  'hostwright state unlock': 'not-locked',
  "hostwright import 'projects.shop.vms.web[0]' vm-7f3k2m9q": 'already-managed',
  'hostwright restore projects.shop.vms.web hosting': 'not-retired',
  'hostwright force-unlock 5b2f1c1e-6a0d-4a57-9d0e-0b8c1f1f2a3b': 'not-locked',
  "hostwright vm restore 'projects.shop.vms.web[0]' bak-7f3k2m9q": 'backup-not-found',
  'hostwright notifications read ntf-7f3k2m9q': 'not-found',
};

/** Commands that serve until they are stopped, or need a server, are tried elsewhere. */
const serving = new Set(['sandbox', 'server', 'worker', 'server plan', 'server apply']);

const program = await buildProgram(commandFamilies, silentContext);
const rows = listLeaves(program)
  .filter((leaf) => !serving.has(formatCommandPath(leaf)))
  .flatMap((leaf) => listCommandExamples(leaf).map((example) => ({ example })));
const drawn = drawSome(rows, { short: rows.length / 3, ci: rows.length }, 'examples');

const configuration = `version: 1
service: { sandbox: { speed: 1000000 } }
projects:
  shop:
    networks: { backend: {} }
    publicIps: { edge: {} }
    vms:
      web: { count: 2, image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly }
outputs:
  webIp: { value: '\${projects.shop.publicIps.edge.address}' }
`;

const tests = `version: 1
tests:
  a web server has its size:
    steps:
      - plan: {}
        assert: plan.counts.add == 5
`;

let stage: SampleStage;
beforeAll(async () => {
  stage = await SampleStage.open();
  await stage.write('main.yaml', configuration);
  for (const command of [
    'apply --auto-approve',
    'vm backup projects.shop.vms.web[0]',
    'tokens create ci --scopes compute --out first.token',
    'state pull > backup.json',
  ]) {
    await runCommand(`hostwright ${command}`, stage.path);
  }
  await cp(join(stage.path, 'main.yaml'), join(stage.path, 'hosting/main.yaml'));
  // A service that has the contract's own document.
  await cp(join(root, 'schemas/openapi.yaml'), join(stage.path, 'service.json'));
  await stage.write('corrections.json', '{ "overlay": "1.0.0", "actions": [] }');
  await cp(join(stage.path, '.hostwright'), join(stage.path, 'hosting/.hostwright'), {
    recursive: true,
  });
  await cp(join(root, 'examples/faults'), join(stage.path, 'faults'), { recursive: true });
  await stage.write('hosting/shop.test.yaml', tests);
  await stage.write('places/new.yaml', 'local: { path: other }\n');
  await stage.write('expressions.txt', '1 + 1\n');
  await stage.write('shop/.keep', '');
  await stage.write('.local/share/bash-completion/completions/.keep', '');
  await stage.write('.config/fish/completions/.keep', '');
  await runCommand('hostwright plan hosting --out plan.hwp', stage.path);
  await runCommand('hostwright plan hosting --out older.hwp', stage.path);
}, 60_000);
afterAll(() => stage.close());

test.each(drawn)('every example of a command: $example', async ({ example }) => {
  const place = await openFolder('example');
  await cp(stage.path, place, { recursive: true });
  // It writes where nothing is yet.
  if (/ init hosting(?: --base-url| --from-account|$)/.test(example)) {
    await rm(join(place, 'hosting'), { recursive: true });
  }
  const lines = example.replaceAll('~', '.').split(' && ');
  const printed: string[] = [];
  for (const line of lines) printed.push(await runCommand(line, place));
  const text = printed.join('');
  const expected = elsewhere[example];
  if (expected === undefined) expect(text).not.toContain('│ Error: ');
  else expect(text.replace(/\s+│?\s*/g, ' ')).toContain(`[${expected}]`);
});
