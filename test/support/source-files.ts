// The program's own source as the architecture test sees it: what each file imports and uses.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';

/** One import, export-from or `import()` of a file. */
export interface Import {
  readonly specifier: string;
  /** The imported file below src, e.g. `model/plan.ts`; undefined for a package or a part of Node. */
  readonly target: string | undefined;
  /** True for `import type`, which leaves nothing behind when the program runs. */
  readonly isErased: boolean;
}

/** What the architecture test has to know of a file. */
export interface SourceModule {
  /** Below src: `plan/diff.ts`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
  /** Global names that it uses as values, `Date.now` and the like with their member. */
  readonly globals: ReadonlySet<string>;
}

/** Every TypeScript file below a directory, by path. */
export function readModules(directory: string): SourceModule[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
    .map((path) => readModule(path, readFileSync(join(directory, path), 'utf8')));
}

/** Reads one file. */
export function readModule(path: string, text: string): SourceModule {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const globals = new Set<string>();
  let hasDefaultExport = false;
  const note = (node: ts.Node | undefined, isErased = false) => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const specifier = node.text;
    const isOwn = specifier.startsWith('.');
    const target = isOwn ? posix.normalize(posix.join(dirname(path), specifier)) : undefined;
    imports.push({ specifier, target, isErased });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      note(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    }
    if (ts.isExportDeclaration(node)) note(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      note(node.argument.literal, true);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      note(node.arguments[0]);
    }
    if (ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword) {
      hasDefaultExport ||= !ts.isDefaultClause(node);
    }
    if (ts.isIdentifier(node) && isUsedAsValue(node)) globals.add(memberOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  const lines = text.trimEnd().split('\n').length;
  return { path, lines, imports, hasDefaultExport, globals };
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
