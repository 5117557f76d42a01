import { operationIds } from '../../api/contract/operation-ids.ts';
import { routes, type OperationId } from '../../api/contract/routes.ts';
import {
  readProbeReadinessScript,
  type ProbeReadinessScript,
} from '../../model/plan/ready-script.ts';
import { isKeyOf } from '../../model/tables.ts';
import { defaultSandboxCatalog } from '../store/catalog.ts';
import { isPathPatternMatch } from './match-condition.ts';
import { parseFaultAction } from './parse-action.ts';
import {
  type FaultScriptVmSizes,
  type FaultScriptProblem,
  formatFaultScriptPath,
  FaultScriptReader,
  type FaultScriptPath,
} from './script-reader.ts';
import type {
  FaultRuleAction,
  FaultRule,
  FaultScript,
  FaultRuleCondition,
  WebConsoleEdit,
  WebConsoleEditSubject,
} from './script.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Error for an invalid fault script, with all of its problems. */
export class FaultScriptError extends Error {
  readonly problems: readonly FaultScriptProblem[];

  constructor(problems: readonly FaultScriptProblem[]) {
    super(
      problems.map(({ path, message }) => `${formatFaultScriptPath(path)} ${message}`).join('\n'),
    );
    this.name = 'FaultScriptError';
    this.problems = problems;
  }
}

/**
 * Parses a fault script from plain data, as YAML or JSON gives it; `sizes` are the VM sizes of the account, the
 * sandbox's own unless given.
 * @throws FaultScriptError
 */
export function parseFaultScript(
  value: unknown,
  sizes: FaultScriptVmSizes = defaultSandboxCatalog.configurations,
): FaultScript {
  const reader = new FaultScriptReader(sizes);
  const map = reader.map(value ?? {}, [], ['seed', 'rules', 'edits', 'ready']);
  const seed = reader.number(map.seed, ['seed'], { least: 0 });
  const rules = reader
    .list(map.rules, ['rules'])
    .map((item, index) => parseRule(reader, item, index))
    .filter((rule) => rule !== undefined);
  const edits = reader
    .list(map.edits, ['edits'])
    .map((item, index) => parseEdit(reader, item, ['edits', index], index))
    .filter((edit) => edit !== undefined);
  refuseEqualNames(reader, map.rules);
  const ready = map.ready === undefined ? undefined : parseReady(reader, map.ready);
  if (reader.problems.length > 0) throw new FaultScriptError(reader.problems);
  return { rules, edits, ...(seed !== undefined && { seed }), ...(ready && { ready }) };
}

function parseRule(
  reader: FaultScriptReader,
  value: unknown,
  index: number,
): FaultRule | undefined {
  const path = ['rules', index];
  const map = reader.map(value, path, ['name', 'when', 'then']);
  const name = reader.text(map.name, [...path, 'name']) ?? `rule ${index + 1}`;
  const when = parseCondition(reader, map.when, [...path, 'when']);
  const then = parseFaultAction(reader, map.then, [...path, 'then']);
  if (then) refuseIdle(reader, { when, then }, path);
  return then && { name, when, then };
}

function parseReady(reader: FaultScriptReader, value: unknown): ProbeReadinessScript {
  return readProbeReadinessScript(value, (answer, address) => {
    const path = address === undefined ? ['ready'] : ['ready', address];
    if (answer === 'never') return Number.POSITIVE_INFINITY;
    if (typeof answer !== 'object') {
      reader.refuse(path, 'must be never, or a map with after.');
      return undefined;
    }
    return reader.duration(reader.map(answer, path, ['after']).after, [...path, 'after']);
  });
}

/** Refuses two fault rules of one name: the admin port removes rules by name. */
function refuseEqualNames(reader: FaultScriptReader, rules: unknown): void {
  const seen = new Set<unknown>();
  (Array.isArray(rules) ? rules : []).forEach((rule: unknown, index) => {
    const name = isJsonObject(rule) ? rule.name : undefined;
    if (name === undefined) return;
    if (seen.has(name)) reader.refuse(['rules', index, 'name'], 'is the name of another rule too.');
    seen.add(name);
  });
}

/** Refuses a rule that no request of the contract can ever meet: it would look like a fault that did no harm. */
function refuseIdle(
  reader: FaultScriptReader,
  { when, then }: Pick<FaultRule, 'when' | 'then'>,
  path: FaultScriptPath,
): void {
  const at = (key: string) => [...path, 'when', key];
  const { nth, every = 1, afterMs = 0, untilMs = Infinity } = when;
  const concerned = operationIds.filter((id) => mayConcern(when, id));
  if (concerned.length === 0) {
    const key = when.path !== undefined ? 'path' : 'method';
    reader.refuse(at(key), 'matches no operation of the contract with the rest of `when`.');
  } else {
    const lack = findLack(then, concerned);
    const named = concerned.length > 3 ? 'those of `when`' : concerned.join(', ');
    const [one, many] = lack ?? [];
    const verb = concerned.length === 1 ? one : many;
    if (verb) reader.refuse([...path, 'then', then.kind], `does nothing: ${named} ${verb}.`);
  }
  if (nth && !nth.some((count) => count % every === 0)) {
    reader.refuse(at('nth'), `never strikes: ${every} of \`every\` divides none of it.`);
  }
  if (untilMs <= afterMs)
    reader.refuse(at('until'), 'never strikes: it is not later than `after`.');
}

/** Operations whose answer depends on the room of the cluster. */
const roomOperations: readonly OperationId[] = [
  'createVm',
  'listConfigurations',
  'getConfiguration',
];

/** Says, of one operation and of several, why an action does nothing with them; undefined where it does. */
function findLack(
  { kind }: FaultRuleAction,
  concerned: readonly OperationId[],
): readonly [string, string] | undefined {
  const isChanging = kind === 'fail' || kind === 'slow';
  if (isChanging && !concerned.some((id) => routes[id].success === 202))
    return ['starts no operation', 'start no operation'];
  if (kind === 'capacity' && !concerned.some((id) => roomOperations.includes(id)))
    return ['orders no VM', 'order no VM'];
  return undefined;
}

function mayConcern({ operations, method, path }: FaultRuleCondition, id: OperationId): boolean {
  const route = routes[id];
  return (
    (operations?.includes(id) ?? true) &&
    (method === undefined || method === route.method) &&
    (path === undefined || canMeet(path.split('/'), route.path.split('/')))
  );
}

/** Tells whether some path fits both a pattern and a route, whose parameters match anything. */
function canMeet(pattern: readonly string[], route: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '**';
  const segments = hasRest ? pattern.slice(0, -1) : pattern;
  const isLong = hasRest ? route.length >= segments.length : route.length === segments.length;
  const meets = (segment: string, index: number) =>
    route[index]?.startsWith('{') || isPathPatternMatch(segment, route[index] ?? '');
  return isLong && segments.every(meets);
}

const subjectKeys = [
  'project',
  'network',
  'sshKey',
  'vm',
  'publicIp',
  'portForward',
  'backup',
  'token',
] as const satisfies readonly (keyof WebConsoleEditSubject)[];

/** The id in a path that each part of a subject stands for. */
const subjectParams: Readonly<Record<keyof WebConsoleEditSubject, string>> = {
  project: 'projectId',
  network: 'networkId',
  sshKey: 'sshKeyId',
  vm: 'vmId',
  publicIp: 'publicIpId',
  portForward: 'portForwardId',
  backup: 'backupId',
  token: 'tokenId',
};

/** Reads one edit; `index` names it when it has no name. */
function parseEdit(
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
  index: number,
): WebConsoleEdit | undefined {
  const keys = ['name', 'at', 'afterRequest', 'do', 'on', 'body', 'keepsTrying'];
  const map = reader.map(value, path, keys);
  const at = (key: string) => [...path, key];
  if (map.do === undefined) reader.refuse(path, 'needs a do: the operation to perform.');
  const operationId = parseOperation(reader, map.do, at('do'));
  const given = map.on === undefined ? {} : reader.map(map.on, at('on'), subjectKeys);
  const on = withoutAbsent(
    Object.fromEntries(
      subjectKeys.map((key) => [key, reader.text(given[key], [...at('on'), key])] as const),
    ),
  ) as WebConsoleEditSubject;
  const timing = withoutAbsent({
    atMs: reader.duration(map.at, at('at')),
    afterRequest: reader.number(map.afterRequest, at('afterRequest'), { least: 1 }),
  });
  const keepsTrying = reader.flag(map.keepsTrying, at('keepsTrying'));
  const name = reader.text(map.name, at('name')) ?? `edit ${index + 1}`;
  if (operationId === undefined) return undefined;
  refuseMissing(reader, path, routes[operationId].path, on);
  const body = map.body === undefined ? {} : { body: map.body };
  return { name, operationId, on, keepsTrying, ...timing, ...body };
}

function refuseMissing(
  reader: FaultScriptReader,
  path: FaultScriptPath,
  route: string,
  on: WebConsoleEditSubject,
): void {
  for (const key of subjectKeys) {
    if (route.includes(`{${subjectParams[key]}}`) && on[key] === undefined) {
      reader.refuse([...path, 'on'], `needs a ${key}: the path is ${route}.`);
    }
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const keys = [
  'operation',
  'method',
  'path',
  'after',
  'until',
  'nth',
  'every',
  'probability',
  'times',
];

/** An operation of the contract, by its id. */
function parseOperation(
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
): OperationId | undefined {
  const text = reader.text(value, path);
  if (text === undefined) return undefined;
  if (isKeyOf(routes, text)) return text;
  const like = Object.keys(routes).find((id) => id.toLowerCase() === text.toLowerCase());
  const hint = like ? ` Is ${like} meant?` : '';
  reader.refuse(path, `is no operation of the contract: ${text}.${hint}`);
  return undefined;
}

const oneOrMore = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Reads the `when` of a rule. */
function parseCondition(
  reader: FaultScriptReader,
  value: unknown,
  path: FaultScriptPath,
): FaultRuleCondition {
  if (value === undefined) return {};
  const map = reader.map(value, path, keys);
  const at = (key: string) => [...path, key];
  const operations = oneOrMore(map.operation)
    .map((item) => parseOperation(reader, item, at('operation')))
    .filter((id) => id !== undefined);
  const nth = oneOrMore(map.nth)
    .map((item) => reader.number(item, at('nth'), { least: 1 }))
    .filter((count) => count !== undefined);
  const pattern = reader.text(map.path, at('path'));
  if (pattern !== undefined && !pattern.startsWith('/')) {
    reader.refuse(at('path'), 'must start with /, below the base address: /projects/*/vms.');
  }
  const optional = {
    method: reader.choice(map.method, at('method'), methods),
    path: pattern,
    afterMs: reader.duration(map.after, at('after')),
    untilMs: reader.duration(map.until, at('until')),
    every: reader.number(map.every, at('every'), { least: 1 }),
    probability: reader.number(map.probability, at('probability'), {
      least: 0,
      most: 1,
      isWhole: false,
    }),
    times: reader.number(map.times, at('times'), { least: 1 }),
  };
  return {
    ...(operations.length > 0 && { operations }),
    ...(nth.length > 0 && { nth }),
    ...withoutAbsent(optional),
  };
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value. */
function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}
