// The catalogue of diagnostics: every code in the source, with the texts that stand beside it. Read from the syntax
// tree, so that nobody has to keep a second list.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { findVariable, readText, visit } from './read-source-text.ts';

/** One code, and all that the program says with it. */
export interface CatalogueEntry {
  readonly code: string;
  /** `error`, `warning`, `note`: an error unless its place says otherwise. */
  readonly severities: readonly string[];
  readonly summaries: readonly string[];
  readonly hints: readonly string[];
  /** The folders of the source that report it, most used first. */
  readonly folders: readonly string[];
}

/** `*` stands for the name of a field. */
const codePattern = /^[a-z][a-z0-9]*(?:-(?:[a-z0-9]+|\*))+$/;

/** In every file that has a code, or a function that is given one: no other is parsed. */
const codeClue = /\bcode\b|['"`][a-z][a-z0-9]*-[a-z0-9*$]/;

interface Found {
  readonly code: string;
  readonly severities?: readonly string[];
  readonly summary?: string | undefined;
  readonly hint?: string | undefined;
  readonly folder: string;
}

/** A function that is given the code: at which argument the code and its texts are. */
interface Reporter {
  readonly code: number;
  readonly summary: number;
  readonly hint: number;
  readonly own: { readonly summary?: string | undefined; readonly hint?: string | undefined };
}

/**
 * @param root the folder of the source
 * @param fields what a code may end in that is made of the name of a field
 */
export function collectDiagnostics(
  root: string,
  fields: readonly string[],
): readonly CatalogueEntry[] {
  const files = listFiles(root).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    if (!codeClue.test(text)) return [];
    return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  });
  const reporters = new Map<string, Reporter>();
  for (const file of files) visit(file, (node) => noteReporter(node, reporters));
  const found = files.flatMap((file) => {
    const folder = relative(root, file.fileName).split(/[/\\]/)[0] ?? '';
    const all: Found[] = [];
    visit(file, (node) => {
      for (const one of readNode(node, reporters)) all.push({ ...one, folder });
    });
    return all;
  });
  const all = found.filter(({ code }) => codePattern.test(code));
  return sumUp(
    all.flatMap((one) =>
      one.code.includes('*')
        ? fields.map((field) => ({ ...one, code: one.code.replace('*', field) }))
        : [one],
    ),
  );
}

function listFiles(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^api[/\\]contract[/\\]/.test(relative(root, path)))
    .sort();
}

/** Remembers a function, method or constructor with a parameter named `code`. */
function noteReporter(node: ts.Node, reporters: Map<string, Reporter>): void {
  if (!ts.isFunctionLike(node)) return;
  const names = node.parameters.map(({ name }) => name.getText());
  const code = names.indexOf('code');
  const called = nameOfFunction(node);
  if (code < 0 || called === undefined) return;
  let own: Reporter['own'] = {};
  visit(node, (inner) => {
    if (!ts.isObjectLiteralExpression(inner)) return;
    const value = memberOf(inner, 'code');
    if (value && ts.isIdentifier(value) && value.text === 'code') {
      own = { summary: textOf(inner, 'summary'), hint: textOf(inner, 'hint') };
    }
  });
  const [summary, hint] = [names.indexOf('summary'), names.indexOf('hint')];
  reporters.set(called, { code, summary, hint, own });
}

function nameOfFunction(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  if (node.name) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

type Texts = Omit<Found, 'folder'>;

function readNode(node: ts.Node, reporters: ReadonlyMap<string, Reporter>): readonly Texts[] {
  if (ts.isObjectLiteralExpression(node)) return readObject(node);
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return readCall(node, reporters);
  if (ts.isPropertyDeclaration(node) && node.name.getText() === 'code') {
    return readCodes(node.initializer ?? node.type).map((code) => ({
      code,
      severities: ['error'],
    }));
  }
  if (ts.isPropertySignature(node) && node.name.getText() === 'code') {
    return readCodes(node.type).map((code) => ({ code }));
  }
  if (ts.isPropertyAssignment(node)) return readEntry(node);
  return ts.isVariableDeclaration(node) ? readTuples(node) : [];
}

const besideCode = ['severity', 'summary', 'hint', 'why', 'detail', 'message', 'verb', 'isFailure'];

function readObject(node: ts.ObjectLiteralExpression): readonly Texts[] {
  const value = memberOf(node, 'code') ?? memberOf(node, 'lockCode');
  if (!value) return [];
  const isReport =
    memberOf(node, 'lockCode') !== undefined ||
    besideCode.some((name) => memberOf(node, name) !== undefined) ||
    node.properties.some(ts.isSpreadAssignment);
  if (!isReport) return [];
  const severities = readCodes(memberOf(node, 'severity'));
  const texts = { severities, summary: textOf(node, 'summary'), hint: textOf(node, 'hint') };
  return readCodes(value).map((code) => ({ code, ...texts }));
}

/** Texts in a map by their codes. */
function readEntry(node: ts.PropertyAssignment): readonly Texts[] {
  const { name, initializer } = node;
  if (!ts.isStringLiteral(name) || !ts.isObjectLiteralExpression(initializer)) return [];
  const texts = { summary: textOf(initializer, 'summary'), hint: textOf(initializer, 'hint') };
  return texts.summary === undefined ? [] : [{ code: name.text, ...texts }];
}

const isMap = (node: ts.Node): node is ts.ObjectLiteralExpression =>
  ts.isObjectLiteralExpression(node);

function readCall(
  node: ts.CallExpression | ts.NewExpression,
  reporters: ReadonlyMap<string, Reporter>,
): readonly Texts[] {
  const callee = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name
    : node.expression;
  const isSuper = callee.kind === ts.SyntaxKind.SuperKeyword;
  const reporter = isSuper ? superOf(node, reporters) : reporters.get(callee.getText());
  const given: readonly ts.Expression[] = node.arguments ?? [];
  const code = reporter && given[reporter.code];
  if (!code) return [];
  const at = (index: number) => {
    const argument = index < 0 ? undefined : given[index];
    return argument && readText(argument);
  };
  // What is optional may come in a map behind the rest.
  const more = given.find(isMap);
  return readCodes(code).map((one) => ({
    code: one,
    summary: at(reporter.summary) ?? reporter.own.summary,
    hint: at(reporter.hint) ?? (more && textOf(more, 'hint')) ?? reporter.own.hint,
  }));
}

/** Of a file there is none, whatever the types say. */
const parentOf = (node: ts.Node) => node.parent as ts.Node | undefined;

/** What a call of `super` calls. */
function superOf(node: ts.Node, reporters: ReadonlyMap<string, Reporter>): Reporter | undefined {
  let outer = parentOf(node);
  while (outer && !ts.isClassLike(outer)) outer = parentOf(outer);
  const base = outer?.heritageClauses?.[0]?.types[0]?.expression.getText();
  return base === undefined ? undefined : reporters.get(base);
}

/** Lists of `[code, …]`, whose type names its first member so. */
function readTuples(node: ts.VariableDeclaration): readonly Texts[] {
  if (!node.type || !/\[code: string/.test(node.type.getText()) || !node.initializer) return [];
  const all: Texts[] = [];
  visit(node.initializer, (inner) => {
    if (!ts.isArrayLiteralExpression(inner)) return;
    const [code, , words] = inner.elements;
    if (!code || !ts.isStringLiteral(code)) return;
    all.push({ code: code.text, severities: ['error'], summary: words && readText(words) });
  });
  return all;
}

function memberOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const member of node.properties) {
    if (member.name?.getText() !== name) continue;
    if (ts.isPropertyAssignment(member)) return member.initializer;
    if (ts.isShorthandPropertyAssignment(member)) return member.name;
  }
  return undefined;
}

function textOf(node: ts.ObjectLiteralExpression, name: string): string | undefined {
  const value = memberOf(node, name);
  return value && readText(value);
}

/** The texts that an expression or a type may have; nothing for what only a run knows. */
function readCodes(node: ts.Node | undefined): readonly string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isLiteralTypeNode(node)) return readCodes(node.literal);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(readCodes);
  if (ts.isConditionalExpression(node)) {
    return [...readCodes(node.whenTrue), ...readCodes(node.whenFalse)];
  }
  if (ts.isBinaryExpression(node)) return [...readCodes(node.left), ...readCodes(node.right)];
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) {
    return readCodes(node.expression);
  }
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')];
  }
  if (ts.isIdentifier(node)) return readCodes(findConstant(node));
  if (ts.isTypeReferenceNode(node)) return readCodes(findAlias(node));
  return [];
}

/** What a constant of the same file is made of. */
function findConstant(name: ts.Identifier): ts.Node | undefined {
  return findVariable(name)?.initializer;
}

function findAlias(reference: ts.TypeReferenceNode): ts.Node | undefined {
  return reference
    .getSourceFile()
    .statements.filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === reference.typeName.getText())?.type;
}

function sumUp(found: readonly Found[]): readonly CatalogueEntry[] {
  const codes = [...new Set(found.map(({ code }) => code))].sort();
  return codes.map((code) => {
    const own = found.filter((one) => one.code === code);
    const list = (key: 'severities' | 'summary' | 'hint') => [
      ...new Set(own.flatMap((one) => one[key] ?? [])),
    ];
    const severities = list('severities').sort();
    const counts = new Map<string, number>();
    for (const { folder } of own) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    const folders = [...counts].sort(([, a], [, b]) => b - a).map(([folder]) => folder);
    return {
      code,
      severities: severities.length > 0 ? severities : ['error'],
      ...{ summaries: list('summary'), hints: list('hint'), folders },
    };
  });
}
