import { DOMParser } from '@xmldom/xmldom';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findRaw, hostileText } from '../support/hostile-text.ts';
import { openHostileAccount, type HostileAccount } from './hostile-account.ts';

let account: HostileAccount;
let root: string;

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2rSPYrq0HpkQO8Vu7HbJcVIRqM0bWvgFAjWh5Xq0Nq me@test';
const vm = { image: 'debian-12', configuration: 'c1-r1-d20', tariff: 'hourly' };

/** A configuration with something hostile in every text that is no key. JSON is YAML, whatever the strings hold. */
function configuration(text: string) {
  return {
    version: 1,
    variables: { greeting: { type: 'string', default: text } },
    locals: { both: '${var.greeting} ${var.greeting}' },
    projects: {
      shop: {
        sshKeys: { me: { publicKey } },
        networks: { lan: {} },
        publicIps: { edge: { forwards: { https: forward } } },
        vms: {
          web: { ...vm, networks: ['lan'] },
          each: {
            ...vm,
            forEach: { [text]: 'one', plain: 'two' },
            name: '${each.value}',
          },
        },
      },
    },
    modules: { part: { source: './part' } },
    policies: {
      named: { for: 'vms', assert: 'false', message: '${var.greeting} of ${address}', severity: 'warn' },
    },
    checks: { greets: { assert: 'false', message: '${local.both}', severity: 'warn' } },
    outputs: {
      text: { value: '${var.greeting}' },
      map: { value: { '${var.greeting}': ['${var.greeting}'] } },
      lines: { value: 'first\n${var.greeting}\nlast' },
    },
  };
}

/** JSON of ASCII alone is YAML, whatever its strings hold. */
function toYaml(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const forward = { protocol: 'tcp', publicPort: 443, vm: 'web', vmPort: 8443 };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostwright-text-'));
  account = await openHostileAccount(root);
  await mkdir(join(root, 'part'));
  await writeFile(
    join(root, 'part', 'main.yaml'),
    JSON.stringify({ version: 1, projects: { inner: { networks: { lan: {} } } } }),
  );
  await writeFile(join(root, 'main.yaml'), toYaml(configuration(hostileText)));
  const first = await account.run('apply', '--auto-approve');
  if (first.code) console.log(first.stderr.slice(0, 6000));
  expect(first).toMatchObject({ code: 0 });
});

afterAll(async () => {
  account.close();
  await rm(root, { recursive: true });
});

test('attack i', async () => {
  for (const line of [
    ['validate'], ['plan'], ['plan','--format','json'], ['plan','--format','markdown'], ['plan','--format','html'], ['plan','--format','junit'],['plan','--format','sarif'],['plan','--json'],
    ['show'],['show','--format','html'],['show','--format','markdown'],['show','--json'],['state','list'],['state','pull'],['output'],['output','text'],['output','lines'],['output','--json'],
    ['graph'],['graph','--format','mermaid'],['graph','--format','svg'],['export','--all'],['operations'],['operations','--json'],['notifications'],['notifications','--json'],
    ['tokens','list'],['sales','list'],['account','show'],['limits'],['doctor'],['vm','backups','projects.shop.vms.web'],
  ]) {
    account.isHostile = true;
    const { code, stdout, stderr } = await account.run(...line);
    console.log(line.join(' '), code, stdout.length, stderr.length, findRaw(stdout).slice(0,3), findRaw(stderr).slice(0,3), code===1?stderr.slice(0,1500):'');
  }
});
void [DOMParser, parse, readFile, describe];
