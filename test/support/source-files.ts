// The program's own source as the architecture test sees it: what each file imports and uses.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';

/** One import, export-from or `import()` of a file. */
export interface Import {
  readonly specifier: string;
  /** The imported file below src, e.g. `model/plan.ts`; undefined for a package or a part of Node. */
  readonly target: string | undefined;
}

/** A function, and how long it is. */
export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** What the architecture test has to know of a file. */
export interface SourceModule {
  /** Below src: `plan/diff.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
  /** Its functions and methods, nested ones as well. */
  readonly functions: readonly LongFunction[];
  /** The texts of its string literals. */
  readonly texts: ReadonlySet<string>;
  /** The keys of each of its object literals. */
  readonly tables: readonly (readonly string[])[];
  /** How many times it says of a value what type it has: `as`, but for `as const`. */
  readonly casts: number;
  /** The names that it declares and exports. */
  readonly exports: readonly string[];
  /** How many objects are spread where they are written: `...{ a, b }` switches the check for excess members off. */
  readonly literalSpreads: number;
  /** How many lines of comments begin with a clause where a noun should be: `What …`, `True: …`. */
  readonly vagueComments: number;
  /** Names of its classes. */
  readonly classes: readonly string[];
  /** Classes of errors whose `name` is another than that of the class: `ServiceError: ApiError`. */
  readonly misnamedErrors: readonly string[];
  /** Names of errors that its comments say are thrown. */
  readonly thrownErrors: readonly string[];
  /** Members of each of its interfaces, by the interface, as they are written: `name?` for one that may be absent. */
  readonly interfaces: ReadonlyMap<string, readonly string[]>;
  /** Global names that it uses as values, `Date.now` and the like with their member. */
  readonly globals: ReadonlySet<string>;
}

/** Every TypeScript file below a directory, by path. */
export const readModules = (directory: string): SourceModule[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
    .map((path) => readModule(path, readFileSync(join(directory, path), 'utf8')));

/** Reads one file. */
export function readModule(path: string, text: string): SourceModule {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const globals = new Set<string>();
  const texts = new Set<string>();
  const tables: string[][] = [];
  const functions: LongFunction[] = [];
  const interfaces = new Map<string, readonly string[]>();
  const exports: string[] = [];
  const classes: string[] = [];
  const misnamedErrors: string[] = [];
  let casts = 0;
  let literalSpreads = 0;
  let hasDefaultExport = false;
  const note = (node: ts.Node | undefined) => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const specifier = node.text;
    const isOwn = specifier.startsWith('.');
    const target = isOwn ? posix.normalize(posix.join(dirname(path), specifier)) : undefined;
    imports.push({ specifier, target });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      note(node.moduleSpecifier);
    }
    if (ts.isExportDeclaration(node)) note(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      note(node.argument.literal);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      note(node.arguments[0]);
    }
    if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword) {
      hasDefaultExport ||= !ts.isDefaultClause(node);
    }
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) casts += 1;
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) {
      literalSpreads += 1;
    }
    if (ts.isInterfaceDeclaration(node)) {
      const members = node.members.map(
        ({ name, questionToken }) => `${name?.getText() ?? ''}${questionToken ? '?' : ''}`,
      );
      interfaces.set(node.name.text, members);
    }
    if (ts.isClassDeclaration(node) && node.name) {
      const name = node.name.text;
      const given = /^ +(?:override readonly name|this\.name) = '(\w+)';$/m.exec(
        node.getText(),
      )?.[1];
      classes.push(name);
      if (given !== undefined && given !== name) misnamedErrors.push(`${name}: ${given}`);
    }
    if (ts.isStringLiteralLike(node)) texts.add(node.text);
    if (ts.isObjectLiteralExpression(node)) tables.push(readKeys(node));
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineOf(file, node.getStart());
      const lines = lineOf(file, node.getEnd()) - line + 1;
      functions.push({ name: nameOf(node), line, lines });
    }
    if (ts.isIdentifier(node) && isUsedAsValue(node)) globals.add(memberOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const statement of file.statements) exports.push(...listExported(statement));
  const lines = text.trimEnd().split('\n');
  const vagueComments = lines.filter((line) => vagueComment.test(line)).length;
  const thrownErrors = [...text.matchAll(documentedThrow)].flatMap(
    ([, words = '']) => words.match(errorName) ?? [],
  );
  const counts = { casts, literalSpreads, vagueComments, lines: lines.length };
  const found = { imports, hasDefaultExport, globals, functions, texts, tables, interfaces };
  const errors = { classes, misnamedErrors, thrownErrors };
  return { path, exports, ...counts, ...found, ...errors };
}

const vagueComment = /^\s*(?:\/\/|\/\*\*|\*) ?(?:What|How|Where|Whether|True:|False:)(?!\w)/;

/** Words behind `@throws` or `Throws`, to the end of the sentence or of the comment. */
const documentedThrow = /\b[Tt]hrows\b((?:(?!\*\/|\.\s)[\s\S])*?)(?:\*\/|\.\s|\n\s*(?!\*|\/\/)\S)/g;

/** Words of at least two parts, as no other words but those of classes have: `LockLostError`, `UnknownPartNeededError`. */
const errorName = /\b(?:[A-Z][a-z]+){2,}\b/g;

/** The names that a statement declares and exports. */
function listExported(statement: ts.Statement): readonly string[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (modifiers.every(({ kind }) => kind !== ts.SyntaxKind.ExportKeyword)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name ? [name.getText()] : [];
}

/** True for the `x` of `x()`, `x.y`, `new x()` and `f(x)`; not for the names of members, of types and of variables. */
function isUsedAsValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return true;
  return ts.isPropertyAssignment(parent) && parent.initializer === node;
}

/** `Date.now` for the `Date` of `Date.now()`; else the name alone. */
function memberOf(node: ts.Identifier): string {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent)) return node.text;
  return `${node.text}.${parent.name.text}`;
}

const readKeys = ({ properties }: ts.ObjectLiteralExpression): string[] =>
  properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));

const lineOf = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line + 1;

/** The name of a function, or of what it is given to. */
function nameOf({ name, parent }: ts.SignatureDeclaration): string {
  if (name) return name.getText();
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : 'an anonymous function';
}
