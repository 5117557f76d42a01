// Texts that are an expression without its `${…}`, as HCL, Ansible and Helm write it.
import { topLevelKindsByCollection } from '../../model/address.ts';
import { functionsByName } from '../functions/catalogue.ts';
import { terraformFunctions } from '../functions/terraform-names.ts';
import { ExpressionError } from '../parse/expression-fault.ts';
import { parseExpression } from '../parse/parse-expression.ts';
import { collectExpressionMentions, type NameReference } from '../parse/references.ts';

/** First words of names by which a bare text is recognised as an expression. */
const roots = [
  'var',
  'local',
  'each',
  'path',
  'data',
  'modules',
  ...topLevelKindsByCollection.keys(),
];
const lookalike = new RegExp(String.raw`\{\{|%\{|\b(?:${roots.join('|')})[.[]|\w\(`);
const inBraces = /\{\{(.*?)\}\}/gs;
/** Matches directives of Terraform's templates, as `%{ if … }`, which do not exist here. */
const directive = /%\{~?\s*(?:if|for|else|endif|endfor)\b/;
const call = /^\s*(\w+)\(.*\)\s*$/s;
const longest = 500;

/** Stands in a hint for an expression that cannot be derived from the text. */
const untold = '…';

const isKnownFunction = (name: string): boolean =>
  functionsByName.has(name) || name === 'string' || name === 'int' || name === 'size';

/** A name as somebody means an expression by it: `path` has one member, and every other name is followed by one. */
function isMeant({ root, steps }: NameReference): boolean {
  const [first] = steps;
  if (first === undefined) return false;
  return root === 'path' ? first.key === 'module' : roots.includes(root);
}

/** The expression that a text is, in CEL; undefined where it is none. */
function readBare(
  text: string,
  isDeclared: (reference: NameReference) => boolean,
): string | undefined {
  try {
    const { references, calls } = collectExpressionMentions(parseExpression(text));
    if (!references.every((one) => isMeant(one) && isDeclared(one))) return undefined;
    const isCalled = calls.some(({ start, end }) => start === 0 && end === text.length);
    if (references.length === 0 && !isCalled) return undefined;
    if (calls.every(({ name }) => isKnownFunction(name))) return text;
    return calls.some(({ name }) => terraformFunctions.has(name)) ? untold : undefined;
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Suggests the text to write in place of one that looks like an expression and lacks `${…}`: `${var.name}` for
 * `var.name` and for `{{ var.name }}`, and `${…}` where the expression cannot be derived. Undefined for every other
 * text.
 * @param isDeclared tells whether a name may be meant: `local.example.com` may be the name of a host
 */
export function suggestExpressionForBareText(
  text: string,
  isDeclared: (reference: NameReference) => boolean = () => true,
): string | undefined {
  if (text.length > longest || !lookalike.test(text)) return undefined;
  if (text.includes('${')) {
    // `file("${path.module}/key.pub")`: what it gives is the text of a call.
    const name = call.exec(text)?.[1];
    return name !== undefined && isKnownFunction(name) ? `\${${name}(${untold})}` : undefined;
  }
  if (directive.test(text)) return `\${${untold}}`;
  if (text.includes('{{')) {
    const inner = [...text.matchAll(inBraces)].map(([, code = '']) =>
      readBare(code.trim(), isDeclared),
    );
    if (inner.length === 0) return undefined;
    if (inner.includes(undefined)) return `\${${untold}}`;
    return text.replace(inBraces, () => `\${${inner.shift() ?? untold}}`);
  }
  const found = readBare(text.trim(), isDeclared);
  return found === undefined ? undefined : `\${${found}}`;
}
