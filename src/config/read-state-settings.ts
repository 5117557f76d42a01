import { formatSourcePlace } from '../model/source.ts';
import type { StatePlace, StatePlaceKind, StateSettings } from '../model/state/state-settings.ts';
import { tableKeys } from '../model/tables.ts';
import { parseDuration } from './duration.ts';
import type { ConfigurationFaultList } from './source/fault-list.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
} from './source/located-node.ts';
import { isTrueNode, readNodeNumber, readNodeText } from './source/read-fields.ts';
import { toSourceRange } from './source/source-file.ts';

/** Reader of the block of each backend; undefined where a required key is missing, which the schema has reported. */
const readers: {
  readonly [K in StatePlaceKind]: (
    node: LocatedYamlNode,
  ) => Extract<StatePlace, { kind: K }> | undefined;
} = {
  local: (node) => ({ kind: 'local', ...readTexts(node, ['path']) }),
  postgres: (node) => ({
    kind: 'postgres',
    schema: readNodeText(findYamlMapChild(node, 'schema')) ?? 'hostwright',
    name: readNodeText(findYamlMapChild(node, 'name')) ?? 'default',
  }),
  s3(node) {
    const [bucket, key] = [
      readNodeText(findYamlMapChild(node, 'bucket')),
      readNodeText(findYamlMapChild(node, 'key')),
    ];
    if (bucket === undefined || key === undefined) return undefined;
    const isPathStyle = isTrueNode(findYamlMapChild(node, 'pathStyle'));
    return { kind: 's3', bucket, key, isPathStyle, ...readTexts(node, ['region', 'endpoint']) };
  },
  http(node) {
    const address = readNodeText(findYamlMapChild(node, 'address'));
    const others = ['lockAddress', 'unlockAddress', 'lockMethod', 'unlockMethod', 'updateMethod'];
    return address === undefined
      ? undefined
      : { kind: 'http', address, ...readTexts(node, others as 'lockAddress'[]) };
  },
  git: (node) => ({
    kind: 'git',
    branch: readNodeText(findYamlMapChild(node, 'branch')) ?? 'hostwright-state',
    ...readTexts(node, ['remote', 'path']),
  }),
};

/** Reads the section `state`, which has no expressions: the state is opened before anything is evaluated. */
export function readStateSettings(
  node: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): StateSettings {
  const given = listYamlMapEntries(node);
  const kinds = tableKeys(readers).filter((kind) => given.has(kind));
  const [kind] = kinds;
  if (kinds.length > 1) refuseSecond(kinds, given, faults);
  const entry = kind && given.get(kind);
  if (entry) checkAddresses(entry.value, faults);
  const history = findYamlMapChild(node, 'history');
  const versions = readNodeNumber(findYamlMapChild(history, 'versions'));
  const ageMs = parseDuration(readNodeText(findYamlMapChild(history, 'age')) ?? '');
  return {
    place: kind && entry && readers[kind](entry.value),
    source: entry && toSourceRange(entry.key),
    encryption: readNodeText(findYamlMapChild(findYamlMapChild(node, 'encryption'), 'key')) as
      StateSettings['encryption'] | undefined,
    leaseMs: readLease(node, faults),
    history: {
      ...(versions !== undefined && { versions }),
      ...(ageMs !== undefined && { ageMs }),
    },
  };
}

function readTexts<K extends string>(
  node: LocatedYamlNode,
  names: readonly K[],
): { readonly [N in K]?: string } {
  const texts: { [N in K]?: string } = {};
  for (const name of names) {
    const text = readNodeText(findYamlMapChild(node, name));
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

function refuseSecond(
  kinds: readonly StatePlaceKind[],
  given: ReadonlyMap<string, YamlEntry>,
  faults: ConfigurationFaultList,
): void {
  const keys = kinds
    .flatMap((kind) => given.get(kind)?.key ?? [])
    .sort((left, right) => left.start - right.start);
  const [first, ...others] = keys;
  if (!first) return;
  for (const place of others) {
    faults.add({
      code: 'exclusive-keys',
      summary: `\`state\` has ${kinds.map((kind) => `\`${kind}\``).join(', ')}, which exclude each other`,
      detail: `A state is kept in one place. The first is at ${formatSourcePlace(toSourceRange(first))}.`,
      hint: 'Remove all but one of them.',
      place,
    });
  }
}

/** Checks that addresses are http or https, without credentials. */
function checkAddresses(block: LocatedYamlNode, faults: ConfigurationFaultList): void {
  for (const name of ['address', 'lockAddress', 'unlockAddress', 'endpoint']) {
    const node = findYamlMapChild(block, name);
    const text = readNodeText(node);
    if (!node || text === undefined) continue;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      const summary = `\`${name}\` must be an http or https address`;
      const hint = 'Write the whole address, for example https://state.example.com/shop.';
      faults.add({ code: 'invalid-state-address', summary, hint, place: node });
    } else if (url.username || url.password) {
      faults.add({
        code: 'credentials-in-url',
        summary: `\`${name}\` must not hold a user name or a password`,
        detail: 'Secrets do not belong in YAML: files are committed, copied and printed.',
        hint: 'Remove the part before the @, and give it in the environment.',
        place: node,
      });
    }
  }
}

const minLeaseMs = 2_000;
const maxLeaseMs = 3_600_000;

/** Reads `state.lease`, in milliseconds; undefined when it is not given, or out of range. */
function readLease(
  state: LocatedYamlNode | undefined,
  faults: ConfigurationFaultList,
): number | undefined {
  const node = findYamlMapChild(state, 'lease');
  const text = readNodeText(node);
  const leaseMs = text === undefined ? undefined : parseDuration(text);
  // A text that is no duration was reported by the schema.
  if (!node || leaseMs === undefined) return undefined;
  if (leaseMs >= minLeaseMs && leaseMs <= maxLeaseMs) return leaseMs;
  faults.add({
    code: 'out-of-range',
    summary: `The lease \`${text ?? ''}\` is out of range`,
    detail: 'A lease lasts at least 2s and at most 1h.',
    hint: 'Write for example 60s.',
    place: node,
  });
  return undefined;
}
