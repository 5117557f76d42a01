import {
  Composer,
  isScalar,
  Parser,
  type CST,
  type Document,
  type ErrorCode,
  type YAMLError,
} from 'yaml';
import type { ConfigurationFaultList } from './fault-list.ts';
import type { SourceFile } from './source-file.ts';
import { explainYamlError } from './explain-yaml-error.ts';
import { decodeBracketsInDocument, encodeBracketsAsLetters } from './soften-brackets.ts';

/** Deeper than any configuration; the parser is recursive and would run out of stack. */
const maxDepth = 64;

// eslint-disable-next-line no-control-regex -- these are what YAML does not allow
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The first offset at which the nesting exceeds the limit; found without recursion. */
function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token.offset;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const { key, value } of token.items) {
        if (key) open.push({ token: key, depth: depth + 1 });
        if (value) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

/** Faults that as a rule follow from another one just before them. */
const followers = new Set<ErrorCode>([
  'UNEXPECTED_TOKEN',
  'BAD_INDENT',
  'MULTILINE_IMPLICIT_KEY',
  'BLOCK_AS_IMPLICIT_KEY',
  'MISSING_CHAR',
]);

/** Drops faults that only follow from another: a second one on a line, and one inside another's range. */
function withoutFollowers(errors: readonly YAMLError[], file: SourceFile): YAMLError[] {
  const lines = new Set<number>();
  let reached = -1;
  return [...errors]
    .sort((a, b) => a.pos[0] - b.pos[0])
    .filter((error) => {
      const { line } = file.positionOf(error.pos[0]);
      // Text behind the end of a broken value only follows from the first fault.
      const isStray = lines.size > 0 && error.message.includes('token in YAML stream');
      const isNear = followers.has(error.code) && (lines.has(line) || error.pos[0] < reached);
      const isFollower = isStray || isNear;
      lines.add(line);
      reached = Math.max(reached, error.pos[1]);
      return !isFollower;
    });
}

function addFault(
  faults: ConfigurationFaultList,
  file: SourceFile,
  offset: number,
  words: { summary: string; detail?: string; hint: string },
): void {
  const start = Math.min(offset, file.text.length);
  faults.add({ code: 'broken-yaml', ...words, place: { file, start, end: start + 1 } });
}

/** Reports text that the parser must not be given (control characters, deep nesting, HCL); true when there is some. */
function hasUnparsable(
  file: SourceFile,
  tokens: readonly CST.Token[],
  faults: ConfigurationFaultList,
): boolean {
  const control = controlCharacter.exec(file.text);
  if (control) {
    addFault(faults, file, control.index, {
      summary: 'The file contains a control character',
      detail: `YAML does not allow the character U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}.`,
      hint: 'Remove it.',
    });
  }
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    addFault(faults, file, tooDeep, {
      summary: `The YAML is nested deeper than ${maxDepth} levels`,
      hint: 'Look for a bracket that is opened again and again.',
    });
  }
  return control !== null || tooDeep !== undefined || hasForeignText(file, faults);
}

const conflict = /^<{7}(?: .*)?$/m;
const endOfConflict = /^>{7}(?: .*)?$/m;
const hcl =
  /^(?:resource|variable|provider|terraform|module|data|output|locals)\b(?:[ \t]+"[^"\n]*")*[ \t]*\{[ \t]*$/m;

/** Finds text that is no YAML at all, as HCL or a merge conflict: one fault for the whole file. */
function hasForeignText(file: SourceFile, faults: ConfigurationFaultList): boolean {
  const merge = endOfConflict.test(file.text) ? conflict.exec(file.text) : null;
  if (merge) {
    addFault(faults, file, merge.index, {
      summary: 'The file holds a merge conflict',
      hint: 'Keep one of the two sides, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`.',
    });
  }
  const block = merge ? null : hcl.exec(file.text);
  if (block) {
    addFault(faults, file, block.index, {
      summary: 'The file is written in HCL, the language of Terraform',
      detail: 'A configuration is written in YAML. docs/from-terraform.md translates each block.',
      hint: 'Write each resource in its project: `projects: { shop: { vms: { web: … } } }`.',
    });
  }
  return merge !== null || block !== null;
}

function compose(tokens: Iterable<CST.Token>, text: string): readonly Document.Parsed[] {
  const composer = new Composer({
    schema: 'core',
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokens, true, text.length)];
}

function hasFaults(documents: readonly Document.Parsed[]): boolean {
  return documents.some(({ errors, warnings }) => errors.length + warnings.length > 0);
}

/** Parses the text once more with unquoted brackets replaced by letters; undefined where that leaves a fault. */
function composeSoftened(text: string): readonly Document.Parsed[] | undefined {
  const softened = encodeBracketsAsLetters(text);
  if (softened === undefined) return undefined;
  const documents = compose(new Parser().parse(softened), softened);
  if (hasFaults(documents)) return undefined;
  for (const document of documents) decodeBracketsInDocument(document);
  return documents;
}

/**
 * Prepares a text for the YAML parser: replaces the brackets of expressions by letters, where they would break a value
 * without quotes.
 */
export function escapeYamlForParser(text: string): string {
  return hasFaults(compose(new Parser().parse(text), text))
    ? (encodeBracketsAsLetters(text) ?? text)
    : text;
}

/** Tells whether a YAML document has neither a value nor a fault. */
function isEmpty({ contents, errors }: Document.Parsed): boolean {
  const isNothing = contents === null || (isScalar(contents) && contents.source === '');
  return isNothing && errors.length === 0;
}

/**
 * Parses one file; undefined when it has a fault. Keys are not compared here: building the tree does that, faster and
 * with both places.
 */
export function parseYaml(file: SourceFile, faults: ConfigurationFaultList): Document | undefined {
  const tokens = [...new Parser().parse(file.text)];
  if (hasUnparsable(file, tokens, faults)) return undefined;
  const strict = compose(tokens, file.text);
  const documents = hasFaults(strict) ? (composeSoftened(file.text) ?? strict) : strict;
  const [document, ...others] = documents;
  if (!document) return undefined;
  // Empty documents are ignored, as a file may begin and end with `---`.
  const second = others.find((one) => !isEmpty(one));
  const errors = withoutFollowers([...document.errors, ...document.warnings], file);
  for (const error of errors) faults.add(explainYamlError(error, file));
  if (second && errors.length === 0) {
    addFault(faults, file, second.range[0], {
      summary: 'The file holds more than one YAML document',
      detail: 'A line with `---` begins another document.',
      hint: 'Remove the line, or put what follows into a file of its own in the same directory.',
    });
    return undefined;
  }
  return errors.length === 0 ? document : undefined;
}
