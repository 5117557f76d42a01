import { NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { pureFunctions } from '../../expressions/functions/catalogue.ts';
import type { ExpressionFunctions } from '../../expressions/functions/define.ts';

/** Completions of the last name on a line of `hostwright console`. */
export interface NameCompletion {
  /** Possible texts in place of the fragment, each of which begins with it. */
  readonly candidates: readonly string[];
  readonly fragment: string;
}

/** A name with its members, at the end of a line: `projects.shop.vms.web[0].na`. */
const tailPattern = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"]*"\])*(?:\.|\["?[^\]"]*)?$/;
const rootPattern = /^[A-Za-z_]\w*/;
const stepPattern = /\.([A-Za-z_]\w*)|\[(\d+)\]|\["([^"]*)"\]/g;
const namePattern = /^[A-Za-z_]\w*$/;
/** The most list indexes that the console offers as completions. */
const maxIndexes = 20;

/** Completes the last name on a line: names of the scope, their members, and functions. */
export function completeNames(
  line: string,
  scope: NameTree,
  functions: ExpressionFunctions,
): NameCompletion {
  const fragment = tailPattern.exec(line)?.[0] ?? '';
  const cut = findCut(fragment);
  if (cut < 0) {
    const calls = Object.keys({ ...pureFunctions, ...functions }).map((name) => `${name}(`);
    const names = scope.keys().filter((name) => name !== 'each');
    return pick([...names, ...calls], fragment);
  }
  const below = fragment.slice(0, cut);
  const value = follow(below, scope);
  return pick(
    listSteps(value, fragment[cut] === '[').map((step) => below + step),
    fragment,
  );
}

/** Offset of the unfinished last step of a name; negative where the name has one step. */
function findCut(fragment: string): number {
  const open = fragment.lastIndexOf('[');
  const isOpen = open >= 0 && !fragment.includes(']', open);
  return isOpen ? open : fragment.lastIndexOf('.');
}

function follow(way: string, scope: NameTree): ScopeValue | undefined {
  const root = rootPattern.exec(way)?.[0] ?? '';
  let value = scope.get(root);
  for (const [, name, index, key] of way.slice(root.length).matchAll(stepPattern)) {
    value = readStep(value, name ?? key ?? index ?? '');
  }
  return value;
}

function readStep(value: ScopeValue | undefined, step: string): ScopeValue | undefined {
  if (value instanceof NameTree) return value.get(step);
  return isContainer(value) && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, ScopeValue>>)[step]
    : undefined;
}

function isContainer(value: ScopeValue | undefined): value is object & ScopeValue {
  return typeof value === 'object' && value !== null && !(value instanceof Unknown);
}

/** Steps that may follow a value: `.name`, `["a key"]`, `[0]`; only bracketed ones where a bracket is open. */
function listSteps(value: ScopeValue | undefined, isBracketed: boolean): readonly string[] {
  const write = (name: string) =>
    namePattern.test(name) && !isBracketed ? `.${name}` : `["${name}"]`;
  if (value instanceof NameTree) return value.keys().map(write);
  if (Array.isArray(value)) {
    return Array.from({ length: Math.min(value.length, maxIndexes) }, (_, index) => `[${index}]`);
  }
  return isContainer(value) ? Object.keys(value).map(write) : [];
}

function pick(candidates: readonly string[], fragment: string): NameCompletion {
  return { fragment, candidates: candidates.filter((one) => one.startsWith(fragment)).sort() };
}
