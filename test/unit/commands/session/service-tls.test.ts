import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../../../support/day-two.ts';
import { makeSelfSigned } from '../../../support/self-signed.ts';

const [authority, client] = [makeSelfSigned('authority'), makeSelfSigned('client')];

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
  const files = { 'ca.pem': authority.cert, 'us.pem': client.cert + client.key };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(world.directory, name), text);
  }
});
afterEach(() => world.close());

const configure = (baseUrl: string) =>
  writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1
service:
  baseUrl: ${baseUrl}
  tls: { caFile: ca.pem, certFile: us.pem, keyFile: us.pem }
projects: { shop: }
`,
  );

const fromYaml = { HOSTWRIGHT_BASE_URL: '' };
const ours = { ca: authority.cert, cert: client.cert, key: client.key };

test.each([
  ['https://sandbox/v1', fromYaml, ours],
  ['http://localhost/v1', fromYaml, undefined],
  ['https://sandbox/v1', {}, undefined],
])('the connection to %s with %j', async (baseUrl, env, tls) => {
  await configure(baseUrl);
  for (const command of ['plan', 'limits', 'doctor']) {
    const { networks } = await world.run([command, '--allow-other-service'], { env });
    expect(networks).toEqual([{ maxConnections: 128, ...(tls && { tls }) }]);
  }
});
