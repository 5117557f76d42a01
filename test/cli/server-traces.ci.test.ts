// What becomes of the work of a server whose collector takes no traces.
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ApiClient } from '../support/server/api-client.ts';
import { testLostTraces } from '../support/server/lost-traces.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

let rig: ServerRig;
let api: ApiClient;

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 1_000);
  api = await rig.startServer();
  await rig.repository.commit({ 'main.yaml': 'version: 1\nprojects: { shop: {} }\n' });
  const { baseUrl, token } = rig.account;
  await api.call('POST', '/api/v1/workspaces', {
    ...{ name: 'shop', repository: rig.repositoryUrl },
    variables: { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token },
  });
});

afterAll(() => rig.close());

describe('a run', () =>
  testLostTraces(
    [
      ['is out of order', 500],
      ['is down', undefined],
    ],
    () => ({ rig, api }),
  ));
