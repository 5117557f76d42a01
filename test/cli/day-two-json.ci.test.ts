// Every --json is as schemas/day-two.schema.json says.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DayTwoWorld, web0 } from '../support/day-two.ts';

const file = resolve(import.meta.dirname, '../../schemas/day-two.schema.json');
const schema = JSON.parse(readFileSync(file, 'utf8')) as { $id: string };
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
addFormats.default(ajv);
ajv.addSchema(schema);

let world: DayTwoWorld;
beforeAll(async () => {
  world = await DayTwoWorld.open();
  await world.run(['apply', '--auto-approve']);
  await world.run(['plan', '--out', 'old']);
  await world.run(['plan', '--destroy', '--out', 'new']);
});
afterAll(() => world.close());

test.each<[string, string[]]>([
  ['vm work', ['vm', 'stop', web0]],
  ['vm work', ['vm', 'start', web0, '--no-wait']],
  ['vm work', ['vm', 'backup', web0]],
  ['vm works', ['vm', 'reboot', 'projects.shop.vms.web[*]']],
  ['vm work', ['vm', 'reboot', web0, '--timeout', '1s']],
  ['vm work', ['vm', 'restore', web0, '--latest', '--auto-approve']],
  ['vm backups', ['vm', 'backups', web0]],
  ['vm metrics', ['vm', 'metrics', web0]],
  ['operations', ['operations']],
  ['tokens create', ['tokens', 'create', 'ci', '--scopes', 'read']],
  ['tokens create', ['tokens', 'create', 'cd', '--scopes', 'read', '--out', 'cd.token']],
  ['tokens list', ['tokens', 'list']],
  ['tokens change', ['tokens', 'rename', 'ci', 'reader']],
  ['tokens change', ['tokens', 'revoke', 'reader']],
  ['notifications list', ['notifications', 'list']],
  ['notifications read', ['notifications', 'read', '--all']],
  ['notifications preferences', ['notifications', 'preferences']],
  ['account', ['account']],
  ['account', ['account', 'locale', 'fr-FR']],
  ['catalog', ['catalog']],
  ['catalog', ['catalog', 'tariffs']],
  ['catalog', ['catalog', 'configurations']],
  ['catalog', ['catalog', 'images', '.']],
  ['sales change', ['sales', 'cancel', web0, '--auto-approve']],
  ['sales change', ['sales', 'resume', web0]],
  ['sales list', ['sales', 'list']],
  ['doctor', ['doctor']],
  ['doctor', ['doctor', 'nowhere']],
  ['contract journey', ['contract', 'journey', '--yes', '0.01 EUR']],
  ['contract journey', ['contract', 'journey']],
  ['limits', ['limits']],
  ['inventory', ['inventory', '--format=json']],
  ['drift', ['drift']],
  ['state history', ['state', 'history']],
  ['version', ['version']],
  ['output', ['output']],
  ['explain', ['plan', '--explain', web0, '--format=json']],
  ['explain', ['plan', '--destroy', '--explain', web0, '--format=json']],
  ['compare', ['show', 'old', '--compare', 'old']],
  ['compare', ['show', 'new', '--compare', 'old']],
  ['failure', ['show', '--compare', 'old']],
  ['failure', ['contract', 'journey', '--yes', '0.02 EUR']],
  ['failure', ['vm', 'backups', 'projects.shop.vms.nothing']],
  ['failure', ['tokens', 'create', 'x'.repeat(65), '--scopes', 'read']],
])('%s: %j', async (name, argv) => {
  const isFormat = argv.includes('--format=json');
  const { json } = await world.run(isFormat ? argv : [...argv, '--json']);
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${name.replace(' ', '%20')}`);
  if (!validate) throw new Error(`the schema has no ${name}`);
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
});
