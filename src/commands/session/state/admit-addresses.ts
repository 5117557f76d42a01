// To whom the credentials for a state may go. The YAML of a pull request is a stranger's, and it says where the state is: so
// they go to the hosts that they went to first, and to others only where a person allows it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLoopback } from '../../../model/text/is-loopback.ts';
import type { Runtime } from '../../../model/runtime.ts';
import { refuse } from '../refuse.ts';
import { stateDirectoryName } from '../../../state/files/files.ts';

/** Who gives an address: the configuration, or whoever runs the command. */
export type AddressSource = 'configuration' | 'person';

const fileName = 'state-hosts.json';

/**
 * Lets credentials go to these addresses, and remembers their hosts; `directory` is that of the configuration.
 * @throws DiagnosticError `other-state-host`, `state-plain-http`
 */
export async function admitAddresses(
  runtime: Pick<Runtime, 'allowsOtherState' | 'allowsPlainHttp'>,
  directory: string,
  addresses: readonly string[],
  source: AddressSource,
): Promise<void> {
  const urls = addresses.map((one) => new URL(one));
  const open = urls.find((url) => url.protocol !== 'https:' && !isLoopback(url));
  if (open && runtime.allowsPlainHttp !== true) {
    throw refuse('state-plain-http', `The state would travel without encryption: ${open.origin}`, {
      detail: 'Anybody on the way could read the state and change it.',
      hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
    });
  }
  const hosts = [...new Set(urls.map(({ origin }) => origin))];
  const known = await readKnown(directory);
  const fresh = hosts.filter((host) => !known.includes(host));
  if (fresh.length === 0) return;
  const isAllowed = source === 'person' || runtime.allowsOtherState === true || known.length === 0;
  if (!isAllowed) {
    throw refuse(
      'other-state-host',
      `The configuration sends the state to another host: ${fresh.join(', ')}`,
      {
        detail: `Until now its credentials went to ${known.join(', ')}.`,
        hint: 'If you want that, run with --allow-other-state once. Otherwise, find out who changed `state`.',
      },
    );
  }
  await remember(directory, [...known, ...fresh]);
}

async function readKnown(directory: string): Promise<readonly string[]> {
  try {
    const text = await readFile(join(directory, stateDirectoryName, fileName), 'utf8');
    const { hosts } = JSON.parse(text) as { readonly hosts?: unknown };
    return Array.isArray(hosts) ? hosts.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

async function remember(directory: string, hosts: readonly string[]): Promise<void> {
  try {
    const folder = join(directory, stateDirectoryName);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, fileName), `${JSON.stringify({ format: 1, hosts }, null, 2)}\n`);
  } catch {
    // A directory that cannot be written, as that of a pipeline may be: the next run is a first one again.
  }
}
