import { compileTemplate } from '../../expressions/evaluate/template.ts';
import { formatReference, type NameReference } from '../../expressions/parse/references.ts';
import {
  findYamlMapChild,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';

/** Finds the name of which a text consists entirely, as `${var.sizes}`; undefined for any other value. */
export function findWholeReference(node: LocatedYamlNode | undefined): NameReference | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const [part] = compileTemplate(node.value).parts;
  const [reference] = part?.expression.references ?? [];
  const isWhole = reference && node.value.trim() === `\${${formatReference(reference)}}`;
  return isWhole ? reference : undefined;
}

/**
 * Follows a local that is only another name, through further such locals, to the name that it means in the end;
 * undefined for a local with a value of its own. The first steps of the result are in another text, and so have no
 * place.
 */
export function followLocals(
  reference: NameReference,
  tree: YamlMapNode,
): NameReference | undefined {
  const locals = findYamlMapChild(tree, 'locals');
  const seen = new Set<LocatedYamlNode>();
  let found = reference;
  while (found.root === 'local') {
    const [name, ...rest] = found.steps;
    const node = findYamlMapChild(locals, String(name?.key));
    const target = findWholeReference(node);
    // A circle of locals is reported where they are evaluated.
    if (!node || !target || seen.has(node)) return undefined;
    seen.add(node);
    const elsewhere = target.steps.map(({ key }) => ({ key, start: -1, end: -1 }));
    found = { ...reference, root: target.root, steps: [...elsewhere, ...rest] };
  }
  return found;
}
