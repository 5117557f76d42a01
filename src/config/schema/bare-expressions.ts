import { suggestExpressionForBareText } from '../../expressions/evaluate/find-bare-expression.ts';
import { formatReference, type NameReference } from '../../expressions/parse/references.ts';
import { parseResourceAddress } from '../../model/address.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';

/** Sections of the configuration that can hold no expression. */
const plainSections = ['version', 'state', 'variables', 'moved', 'imports', 'removed'];
/** Keys of conditions and addresses, which are written without `${…}`, and of words for people. */
const plainKeys: ReadonlySet<string> = new Set([
  ...['assert', 'replaceTriggeredBy', 'description', 'source', 'for', 'severity'],
]);

/** Hint for a text that looks like an expression, in a field that takes no text; undefined for every other value. */
export function hintAtBareExpression(node: LocatedYamlNode): string | undefined {
  const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  const written = suggestExpressionForBareText(text);
  if (written === undefined || node.file.isSecret(node.start, node.end)) return undefined;
  return `Write \`${written}\`.`;
}

/** Tells whether the files declare a name, or the name can be nothing but an expression. An address may be meant as text. */
function isDeclared(reference: NameReference, tree: YamlMapNode): boolean {
  const { root, steps } = reference;
  if (parseResourceAddress(formatReference(reference))) return false;
  const block = root === 'local' ? 'locals' : root;
  if (root === 'var' || root === 'each' || root === 'path') return true;
  return (
    (root === 'local' && steps.length === 1) ||
    listYamlMapEntries(findYamlMapChild(tree, block)).has(String(steps[0]?.key))
  );
}

/** Calls back for every text of a tree that may hold an expression. */
function walkTexts(
  node: LocatedYamlNode,
  visit: (text: string, node: LocatedYamlNode) => void,
  isPlain: (key: string) => boolean,
): void {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') visit(node.value, node);
  } else if (node.kind === 'list') {
    for (const item of node.items) walkTexts(item, visit, isPlain);
  } else {
    for (const [key, { value }] of node.entries) {
      if (!isPlain(key)) walkTexts(value, visit, (one) => plainKeys.has(one));
    }
  }
}

/** Warns of every text that resembles an expression without `${…}`, unless that text has an error of its own. */
export function warnOfBareExpressions(tree: YamlMapNode, faults: ConfigurationFaultList): void {
  const visitWith =
    (hintAt: (written: string) => string) => (text: string, place: LocatedYamlNode) => {
      const written = suggestExpressionForBareText(text, (reference) =>
        isDeclared(reference, tree),
      );
      if (written === undefined || place.file.isSecret(place.start, place.end)) return;
      if (faults.hasErrorAt(place)) return;
      faults.add({
        severity: 'warning',
        code: 'bare-expression',
        summary: `\`${makePrintable(text).slice(0, 60)}\` is taken as text`,
        detail:
          'It looks like an expression, and only `${…}` is one. Where the text is meant, write it as one: `${"…"}`.',
        hint: hintAt(written),
        place,
      });
    };
  const visit = visitWith((written) => `Write \`${written}\`.`);
  walkTexts(tree, visit, (key) => plainSections.includes(key));
  const visitDefault = visitWith(() => 'Put the expression into `locals`: a default takes none.');
  for (const { value } of listYamlMapEntries(findYamlMapChild(tree, 'variables')).values()) {
    const given = findYamlMapChild(value, 'default');
    if (given) walkTexts(given, visitDefault, () => false);
  }
}
