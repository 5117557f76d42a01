import { formatPlace } from '../../model/source.ts';
import type { Value } from '../../model/value.ts';
import { isEqual } from '../../model/value.ts';
import type { Fault, FaultList } from '../source/fault-list.ts';
import {
  childOf,
  entriesOf,
  toPlainValue,
  type Entry,
  type LocatedNode,
} from '../source/located-node.ts';
import { revealDeclarations } from './reveal-declarations.ts';
import { locate, type Place } from '../source/source-file.ts';
import { listNames } from '../../model/text/suggest.ts';

/** What `variables` knows as types. */
export type VariableType = 'string' | 'number' | 'boolean' | 'list' | 'map';

const typeWords: Readonly<Record<VariableType, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
};

/** A variable as `variables` declares it. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: VariableType;
  readonly key: Place;
  readonly isSensitive: boolean;
  /** Undefined when it must be set. */
  readonly default: LocatedNode | undefined;
  /** Undefined when every value of the type is allowed. */
  readonly allowed: readonly Value[] | undefined;
}

function typeOf(value: Value): VariableType | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'map';
}

/** A node as a value, without what YAML alone has. */
export function readValue(node: LocatedNode): Value {
  return toPlainValue(node) as Value;
}

/** What is wrong with a value for a variable, without its place; undefined when nothing is. */
export function findValueFault(
  { name, type, allowed, isSensitive }: VariableDeclaration,
  value: Value,
): Pick<Fault, 'code' | 'summary' | 'detail' | 'hint'> | undefined {
  const found = typeOf(value);
  if (found !== type) {
    return {
      code: 'wrong-type',
      summary: `The variable \`${name}\` must be ${typeWords[type]}`,
      detail: found ? `Given is ${typeWords[found]}.` : 'Given is nothing.',
      hint:
        type === 'list' || type === 'map'
          ? 'Give it as YAML or JSON.'
          : 'Give a value of its type.',
    };
  }
  if (!allowed || allowed.some((one) => isEqual(one, value))) return undefined;
  const list = listNames(
    allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  );
  return {
    code: 'invalid-value',
    summary: `The variable \`${name}\` has a value that is not allowed`,
    ...(!isSensitive && { detail: `Allowed are ${list}.` }),
    hint: 'Give one of the allowed values.',
  };
}

function readOne(name: string, { key, value: body }: Entry): VariableDeclaration {
  const field = (of: string) => childOf(body, of);
  const given = field('default');
  const type = field('type');
  const written = type?.kind === 'scalar' ? type.value : undefined;
  const otherwise = given ? typeOf(readValue(given)) : undefined;
  const sensitive = field('sensitive');
  const allowed = field('allowed');
  return {
    name,
    type:
      typeof written === 'string' && written in typeWords
        ? (written as VariableType)
        : (otherwise ?? 'string'),
    key,
    isSensitive: sensitive?.kind === 'scalar' && sensitive.value === true,
    default: given?.kind === 'scalar' && given.value === null ? undefined : given,
    allowed: allowed?.kind === 'list' ? allowed.items.map(readValue) : undefined,
  };
}

function refuseExpressions(node: LocatedNode, faults: FaultList): boolean {
  if (node.kind === 'list')
    return node.items.map((one) => refuseExpressions(one, faults)).includes(true);
  if (node.kind === 'map') {
    return [...node.entries.values()]
      .map(({ value }) => refuseExpressions(value, faults))
      .includes(true);
  }
  if (typeof node.value !== 'string' || !node.value.includes('${')) return false;
  faults.add({
    code: 'expression-not-allowed',
    summary: 'An expression cannot stand in `variables`',
    detail: 'A variable is what a configuration takes from outside.',
    hint: 'Write the value out, or work it out in `locals`.',
    place: node,
  });
  return true;
}

/** Reports allowed values of another type: the variable could never have them. */
function refuseAllowed(
  { name, type }: VariableDeclaration,
  allowed: LocatedNode | undefined,
  faults: FaultList,
): void {
  if (allowed?.kind !== 'list') return;
  for (const item of allowed.items) {
    if (typeOf(readValue(item)) === type) continue;
    faults.add({
      code: 'wrong-type',
      summary: `What is allowed for the variable \`${name}\` must be ${typeWords[type]}`,
      hint: 'Give values of its type, or correct its `type`.',
      place: item,
    });
  }
}

/** Reads `variables`; what they are set to comes from elsewhere. Defaults are checked. */
export function declareVariables(
  node: LocatedNode | undefined,
  faults: FaultList,
): ReadonlyMap<string, VariableDeclaration> {
  const declared = new Map<string, VariableDeclaration>();
  revealDeclarations(node);
  for (const [name, entry] of entriesOf(node)) {
    const one = readOne(name, entry);
    declared.set(name, one);
    const written = [childOf(entry.value, 'default'), childOf(entry.value, 'allowed')];
    if (one.isSensitive) {
      for (const secret of written.filter((part) => part !== undefined)) {
        secret.file.hide(secret);
        faults.secrets.add(readValue(secret));
      }
    }
    if (written.some((part) => part !== undefined && refuseExpressions(part, faults))) continue;
    refuseAllowed(one, childOf(entry.value, 'allowed'), faults);
    const { default: place } = one;
    const fault = place && findValueFault(one, readValue(place));
    if (fault) {
      faults.add({ ...fault, detail: `${fault.detail ?? ''} It is the default.`.trim(), place });
    }
  }
  return declared;
}

/** A variable that nothing sets. */
export function explainUnset({ name, key }: VariableDeclaration): Fault {
  return {
    code: 'missing-variable',
    summary: `The variable \`${name}\` is not set`,
    detail: `It is declared at ${formatPlace(locate(key))} without a default.`,
    hint: `Set it with --var ${name}=VALUE, in a file given with --var-file, or as HOSTWRIGHT_VAR_${name}.`,
    place: key,
  };
}
