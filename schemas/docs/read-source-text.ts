// The text that an expression of the source makes, as far as its syntax tells: what only a run knows is a placeholder.
import ts from 'typescript';

/** `<name>` stands for a value; undefined where nothing of the text is known. */
export function readText(node: ts.Expression): string | undefined {
  const text = write(node)?.replace(/\s+/g, ' ').trim();
  return text === undefined || !/[A-Za-z]{2}/.test(text.replace(/<[^>]*>/g, '')) ? undefined : text;
}

function write(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(
      ({ expression, literal }) => writePart(expression) + literal.text,
    );
    return node.head.text + parts.join('');
  }
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return write(node.expression);
  // The first of several is shown for all.
  if (ts.isConditionalExpression(node)) return write(node.whenTrue) ?? write(node.whenFalse);
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return `${writePart(node.left)}${writePart(node.right)}`;
    }
    return write(node.right) ?? write(node.left);
  }
  if (ts.isIdentifier(node)) return writeConstant(node);
  if (ts.isCallExpression(node) && node.expression.getText() === 'formatCountWithNoun') {
    const [noun, count] = node.arguments;
    return noun && count && `${writePart(count)} ${writePart(noun)}s`;
  }
  return undefined;
}

/** A part of a text: its words where they are known, a placeholder where they are not. */
function writePart(node: ts.Expression): string {
  const known = ts.isIdentifier(node) || !isName(node) ? write(node) : undefined;
  if (known !== undefined) return known;
  return `<${nameOf(node)}>`;
}

const isName = (node: ts.Expression) => ts.isPropertyAccessExpression(node);

/** What the value is called: the last word of `change.address`, of `showName(name)` its argument's. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    if (first && (ts.isIdentifier(first) || ts.isPropertyAccessExpression(first))) {
      return nameOf(first);
    }
    return ts.isPropertyAccessExpression(node.expression)
      ? nameOf(node.expression.expression)
      : '…';
  }
  return '…';
}

function writeConstant(name: ts.Identifier): string | undefined {
  const value = findVariable(name)?.initializer;
  return value && value !== name ? write(value) : undefined;
}

type Variables = ReadonlyMap<string, readonly ts.VariableDeclaration[]>;
const variablesOf = new WeakMap<ts.SourceFile, Variables>();

/** The variable of the same file that a name means. */
export function findVariable(name: ts.Identifier): ts.VariableDeclaration | undefined {
  const file = name.getSourceFile();
  const known = variablesOf.get(file) ?? listVariables(file);
  variablesOf.set(file, known);
  return known.get(name.text)?.find(({ parent }) => {
    const scope = parent.parent.parent;
    return name.pos >= scope.pos && name.end <= scope.end;
  });
}

function listVariables(file: ts.SourceFile): Variables {
  const all = new Map<string, ts.VariableDeclaration[]>();
  visit(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return;
    all.set(node.name.text, [...(all.get(node.name.text) ?? []), node]);
  });
  return all;
}

/** Shows a node and all that is below it. */
export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}
