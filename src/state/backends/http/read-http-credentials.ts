import type { Runtime } from '../../../model/runtime.ts';
import type { BasicCredentials } from './state-server.ts';

/** The credentials in the environment; undefined where it has none. YAML never holds them. */
export function readHttpCredentials(env: Runtime['env']): BasicCredentials | undefined {
  const username = env.HOSTWRIGHT_STATE_HTTP_USERNAME ?? '';
  const password = env.HOSTWRIGHT_STATE_HTTP_PASSWORD ?? '';
  return username === '' && password === '' ? undefined : { username, password };
}
