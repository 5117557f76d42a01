// Checks of the names behind `modules` in an expression: a module, its instance where there are several, and an output.
import {
  formatReference,
  type NameReference,
  type ReferenceStep,
} from '../../expressions/parse/references.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type LocatedYamlNode,
} from '../source/located-node.ts';
import { findBlockRepetition } from './each.ts';
import { describeMissingName, type UnknownNameFault } from './name-fault.ts';

/** Finds the fault of a name below `modules`; undefined for a valid name. `outputsOf` is as in `DeclaredNames`. */
export function checkModuleName(
  { steps }: NameReference,
  tree: LocatedYamlNode,
  outputsOf: (module: string) => readonly string[] | undefined,
): UnknownNameFault | undefined {
  const [first, ...others] = steps;
  if (!first) return undefined;
  const modules = listYamlMapEntries(findYamlMapChild(tree, 'modules'));
  const entry = typeof first.key === 'string' ? modules.get(first.key) : undefined;
  if (!entry) return describeMissingName(first, String(first.key), 'modules', [...modules.keys()]);
  const isRepeated = findBlockRepetition(entry.value) !== 'none';
  if (isRepeated && lacksInstance(others)) return refuseWithoutInstance(first, others, entry.value);
  const [outputs, output] = isRepeated ? others.slice(1) : others;
  if (!outputs) return undefined;
  const below = formatReference({
    root: 'modules',
    steps: isRepeated ? steps.slice(0, 2) : [first],
  });
  const known = outputsOf(String(first.key));
  if (outputs.key !== 'outputs') {
    const name = String(outputs.key);
    const hint = known?.includes(name) ? `Write \`${below}.outputs.${name}\`.` : undefined;
    const fault = describeMissingName(outputs, name, below, ['outputs'], hint);
    return { ...fault, isWhole: hint !== undefined };
  }
  if (!output || !known || known.includes(String(output.key))) return undefined;
  return describeMissingName(output, String(output.key), `${below}.outputs`, known);
}

/**
 * Tells whether `outputs.NAME` is written in the place of an instance key; an instance that is itself called `outputs`
 * is followed by another `outputs`.
 */
function lacksInstance([outputs, name]: readonly ReferenceStep[]): boolean {
  return outputs?.key === 'outputs' && name !== undefined && name.key !== 'outputs';
}

function refuseWithoutInstance(
  module: ReferenceStep,
  [outputs = module, ...rest]: readonly ReferenceStep[],
  body: LocatedYamlNode,
): UnknownNameFault {
  const below = formatReference({ root: 'modules', steps: [module] });
  const path = formatReference({ root: '', steps: [outputs, ...rest] });
  const isList = findBlockRepetition(body) === 'count';
  const key = isList ? '0' : quoteFirstForEachKey(body);
  return {
    code: 'unknown-name',
    summary: isList
      ? `\`${below}\` has a count: it is a list`
      : `\`${below}\` has a forEach: it is a map`,
    hint: `Write \`${below}[${key}]${path}\`, with the ${isList ? 'index' : 'key'} of the instance.`,
    start: outputs.start,
    end: outputs.end,
    isWhole: true,
  };
}

/** Quotes the first key of a `forEach` by single quotes, for an example in a hint; `'KEY'` where no key is written. */
export function quoteFirstForEachKey(body: LocatedYamlNode): string {
  const forEach = findYamlMapChild(body, 'forEach');
  const [item] = forEach?.kind === 'list' ? forEach.items : [];
  const [key] = forEach?.kind === 'map' ? forEach.entries.keys() : [];
  const text = key ?? (item?.kind === 'scalar' ? String(item.value) : '');
  return `'${/^[\w-]+$/.test(text) ? text : 'KEY'}'`;
}
