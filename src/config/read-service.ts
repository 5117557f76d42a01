import type { Catalog } from '../model/account/live.ts';
import type {
  ServiceSection,
  ServiceSettings,
  ServiceTls,
  RequestTimeouts,
} from '../model/account/service.ts';
import { formatSourcePlace } from '../model/source.ts';
import { parseDuration } from './duration.ts';
import type { ConfigurationFiles } from './source/configuration-files.ts';
import type { ConfigurationFaultList } from './source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from './source/located-node.ts';
import { readNodeNumber, readNodeText } from './source/read-fields.ts';
import { toSourceRange } from './source/source-file.ts';

type RemoteTls = ServiceTls | 'unusable' | undefined;

interface UrlFault {
  readonly code: string;
  readonly summary: string;
  readonly detail?: string;
  readonly hint: string;
}

const example = 'for example https://api.example.com/v1';

/** Finds what is wrong with a base address; undefined for a valid one. */
function findUrlFault(text: string): UrlFault | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const port = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(text)?.[1];
    if (port !== undefined && Number(port) > 65_535) {
      const summary = `The port ${port} of service.baseUrl is out of range`;
      return { code: 'invalid-base-url', summary, hint: 'Use a port from 1 to 65535.' };
    }
    const summary = 'service.baseUrl must be an http or https address';
    return { code: 'invalid-base-url', summary, hint: `Write the whole address, ${example}.` };
  }
  if (url.username || url.password) {
    return {
      code: 'credentials-in-url',
      summary: 'service.baseUrl must not hold a user name or a password',
      detail: 'Secrets do not belong in YAML: files are committed, copied and printed.',
      hint: 'Remove the part before the @, and give the token as HOSTWRIGHT_TOKEN, HOSTWRIGHT_TOKEN_FILE or --token-command.',
    };
  }
  if (url.search || url.hash || text.endsWith('?') || text.endsWith('#')) {
    const summary = 'service.baseUrl must end with its path';
    return { code: 'invalid-base-url', summary, hint: 'Remove everything from the ? or # on.' };
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/v1')) return undefined;
  const before = /^(.*?)\/v1(?:\/|$)/i.exec(path)?.[1] ?? path;
  return {
    code: 'base-url-without-version',
    summary: 'service.baseUrl must end in /v1',
    detail: 'The base address names the version of the interface.',
    hint: `Write ${url.origin}${before}/v1.`,
  };
}

function readBaseUrl(
  node: LocatedYamlNode,
  faults: ConfigurationFaultList,
  tls: RemoteTls,
): ServiceSettings | undefined {
  const text = readNodeText(node)?.trim();
  if (!text) return undefined;
  const fault = findUrlFault(text);
  if (fault) {
    faults.add({ ...fault, place: node });
    return undefined;
  }
  const baseUrl = text.replace(/\/+$/, '');
  return { kind: 'remote', baseUrl, ...(tls && { tls }), source: toSourceRange(node) };
}

/** The catalog that `sandbox` names, with code that is imported on demand: few configurations have one. */
async function readCatalogOf(
  node: LocatedYamlNode | undefined,
  reading: ServiceReadingContext,
): Promise<Catalog | undefined> {
  const named = findYamlMapChild(findYamlMapChild(node, 'sandbox'), 'catalog');
  const file = readNodeText(named)?.trim();
  if (!named || !file) return undefined;
  const { readCatalogFile } = await import('./read-catalog.ts');
  return readCatalogFile(file, named, reading);
}

function readSandbox({ key, value }: YamlEntry, catalog: Catalog | undefined): ServiceSettings {
  const data = readNodeText(findYamlMapChild(value, 'data'));
  return {
    kind: 'sandbox',
    ...(data !== undefined && { data }),
    speed: readNodeNumber(findYamlMapChild(value, 'speed')) ?? 1,
    seed: readNodeNumber(findYamlMapChild(value, 'seed')) ?? 1,
    ...(catalog && { catalog }),
    source: toSourceRange(key),
  };
}

/** Reads the service's address or sandbox; undefined when neither is given, or the address is not usable. */
function readSettings(
  fields: ReadonlyMap<string, YamlEntry>,
  faults: ConfigurationFaultList,
  { tls, catalog }: { readonly tls: RemoteTls; readonly catalog: Catalog | undefined },
): ServiceSettings | undefined {
  const baseUrl = fields.get('baseUrl');
  const sandbox = fields.get('sandbox');
  // Both settings in one file are reported by the schema; here only those of several files.
  if (baseUrl && sandbox && baseUrl.key.file !== sandbox.key.file) {
    faults.add({
      code: 'exclusive-keys',
      summary: 'service has `baseUrl`, `sandbox`, which exclude each other',
      detail: `\`baseUrl\` is at ${formatSourcePlace(toSourceRange(baseUrl.key))}.`,
      hint: 'Remove one of them.',
      place: sandbox.key,
    });
  }
  if (baseUrl) return readBaseUrl(baseUrl.value, faults, tls);
  return sandbox && readSandbox(sandbox, catalog);
}

/** The means of reading the `service` section. */
interface ServiceReadingContext {
  readonly root: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
  readonly workingDirectory: string;
}

/** Reads `tls`, which goes together with `baseUrl` alone; one whose expression has no value yet counts. */
async function readTlsOf(
  node: LocatedYamlNode | undefined,
  written: LocatedYamlNode | undefined,
  reading: ServiceReadingContext,
): Promise<RemoteTls> {
  const tls = findYamlMapChild(node, 'tls');
  const key = listYamlMapEntries(node).get('tls')?.key;
  if (!tls || !key) return undefined;
  // Imported on demand: few configurations have it, and the reader of certificates is slow to load.
  const { readTls } = await import('./read-tls.ts');
  const keys = [
    ...listYamlMapEntries(tls).keys(),
    ...listYamlMapEntries(findYamlMapChild(written, 'tls')).keys(),
  ];
  const found = readTls(tls, { ...reading, written: new Set(keys) });
  if (found === undefined || findYamlMapChild(written, 'baseUrl')) return found;
  reading.faults.add({
    code: 'tls-without-address',
    summary: 'service has `tls` without `baseUrl`',
    detail: 'It says how the connection to `service.baseUrl` is secured, and to no other address.',
    hint: 'Give service.baseUrl, or remove `tls`. Where HOSTWRIGHT_BASE_URL names the service, set NODE_EXTRA_CA_CERTS, HOSTWRIGHT_CERT_FILE and HOSTWRIGHT_KEY_FILE.',
    place: key,
  });
  return undefined;
}

/** Reads `contract`, with code that is imported on demand: few configurations have one. */
async function readContractOf(
  node: LocatedYamlNode | undefined,
  written: LocatedYamlNode | undefined,
  reading: ServiceReadingContext,
): Promise<ServiceSection['contract']> {
  const named = findYamlMapChild(node, 'contract');
  if (!named) return findYamlMapChild(written, 'contract') ? 'unusable' : undefined;
  const file = readNodeText(named)?.trim();
  if (!file) return 'unusable';
  const { readContractFile } = await import('./contract/read-contract-file.ts');
  return readContractFile(file, named, reading) ?? 'unusable';
}

/** Reads the section `service`: `node` has its expressions evaluated, `written` has them as in the file. */
export async function readServiceSection(
  node: LocatedYamlNode | undefined,
  written: LocatedYamlNode | undefined,
  reading: ServiceReadingContext,
): Promise<ServiceSection> {
  const { faults } = reading;
  const contract = await readContractOf(node, written, reading);
  const tls = await readTlsOf(node, written, reading);
  const catalog = await readCatalogOf(node, reading);
  return {
    service: readSettings(listYamlMapEntries(node), faults, { tls, catalog }),
    ...(contract && { contract }),
    requestsPerSecond: readNodeNumber(findYamlMapChild(node, 'requestsPerSecond')),
    maxConnections: readNodeNumber(findYamlMapChild(node, 'maxConnections')),
    requestTimeouts: readRequestTimeouts(findYamlMapChild(node, 'timeouts'), faults),
  };
}

const minMs = 1_000;
const maxMs = 300_000;

function readOne(
  timeouts: LocatedYamlNode | undefined,
  name: 'read' | 'write',
  faults: ConfigurationFaultList,
): number | undefined {
  const node = findYamlMapChild(timeouts, name);
  const text = readNodeText(node);
  const timeoutMs = text === undefined ? undefined : parseDuration(text);
  // A text that is no duration was reported by the schema.
  if (!node || timeoutMs === undefined) return undefined;
  if (timeoutMs >= minMs && timeoutMs <= maxMs) return timeoutMs;
  faults.add({
    code: 'out-of-range',
    summary: `The timeout \`${text ?? ''}\` is out of range`,
    detail: 'The service is given at least 1s and at most 5m to begin its answer.',
    hint: 'Write for example 10s.',
    place: node,
  });
  return undefined;
}

/** Reads `service.timeouts`; undefined where neither timeout is given. */
function readRequestTimeouts(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): Partial<RequestTimeouts> | undefined {
  const readMs = readOne(node, 'read', faults);
  const writeMs = readOne(node, 'write', faults);
  if (readMs === undefined && writeMs === undefined) return undefined;
  return { ...(readMs !== undefined && { readMs }), ...(writeMs !== undefined && { writeMs }) };
}
