// YAML there and back. Whatever reads it later may read YAML 1.1, so all texts are written in quotes, as Terraform does.
import { Document, isScalar, parseDocument, Scalar, visit } from 'yaml';
import { isExactNumber, keepLongNumberAsText } from '../../model/text/whole-numbers.ts';
import type { Value } from '../../model/value.ts';
import type { EvaluationBudget } from '../values/budget.ts';
import { FunctionError } from '../parse/expression-fault.ts';
import { encodeJson } from './encode-json.ts';
import { compareTexts } from './letters.ts';

/** Steps of the evaluation budget for parsing one character of YAML. */
const stepsPerCharacter = 8;

/** Matches texts that a YAML block literal cannot hold unchanged. */
const unfitForBlock = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]| \n/;

/** Says how a text is written, and writes whole numbers without an exponent, which YAML 1.1 takes for a text. */
function style(scalar: Scalar, at: unknown): void {
  const { value } = scalar;
  if (typeof value === 'number' && Number.isInteger(value)) scalar.value = BigInt(value);
  if (typeof value !== 'string') return;
  // Keys, and a text that is the whole document (`null`), are written on one line.
  const isBlock = at !== 'key' && at !== null && value.includes('\n') && !unfitForBlock.test(value);
  scalar.type = isBlock ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
}

/** Makes the function that writes a value as YAML. */
export function encodeYaml(budget: EvaluationBudget): (value: Value) => string {
  return (value) => {
    budget.spend(encodeJson(value).length);
    const document = new Document(value, {
      aliasDuplicateObjects: false,
      sortMapEntries: (a, b) => compareTexts(readKey(a.key), readKey(b.key)),
    });
    visit(document, { Scalar: (at, scalar) => style(scalar, at) });
    return document.toString({ indentSeq: false, lineWidth: 0 });
  };
}

function readKey(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

/** Tags of values that JSON has; sets, bytes and times of YAML would be read as something else. */
const jsonTags: ReadonlySet<string> = new Set(
  ['null', 'bool', 'int', 'float', 'str', 'seq', 'map'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** Reads a text as YAML 1.2, which includes JSON; undefined when it is neither, or holds nothing. */
export function readYaml(text: string): Value | undefined {
  try {
    const document = parseDocument(text, { schema: 'core', merge: true, logLevel: 'error' });
    if (document.errors.length > 0 || document.contents === null) return undefined;
    const check = ({ tag }: { readonly tag?: string }) => {
      if (tag !== undefined && !jsonTags.has(tag)) throw new RangeError();
    };
    visit(document, {
      Collection: (_, collection) => check(collection),
      Scalar: (_, scalar) => {
        check(scalar);
        const { value, source } = scalar;
        if (typeof value === 'number')
          scalar.value = keepLongNumberAsText(value, source, isExactNumber);
      },
    });
    // Aliases are followed so often and no more; JSON knows neither `undefined` nor dates.
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return JSON.parse(JSON.stringify(value ?? null, refuseInfinite)) as Value;
  } catch {
    return undefined;
  }
}

/** Refuses infinite numbers and NaN, which JSON would turn into null. */
function refuseInfinite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError();
  return value;
}

/** Makes the function that reads a value from the text of YAML. @throws FunctionError where the text is no YAML */
export function decodeYaml(budget: EvaluationBudget): (text: string) => Value {
  return (text) => {
    budget.spend(stepsPerCharacter * text.length);
    const value = readYaml(text);
    if (value !== undefined) return value;
    throw new FunctionError(
      'yamlDecode() was given a text that is not YAML',
      'Check the text: it is one document, with each key once in its map, and no tags such as `!!set`.',
    );
  };
}
