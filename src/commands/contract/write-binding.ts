// A binding as YAML for people: comments and answers of the existing file survive.
import { Document, isMap, parseDocument } from 'yaml';
import type { BindingQuestion } from '../../binding/derive-binding.ts';
import type { Binding } from '../../model/account/binding.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Tables of a contract file, in the order in which they are written for people to read. */
export const bindingTables: readonly string[] = [
  ...['ids', 'lists', 'answers', 'operations', 'parameters', 'constants', 'fields', 'units'],
  'enums',
];

const header =
  ' How the service spells the contract. Made by "hostwright contract bind" from its document; correct it\n by hand: lines and comments survive the next bind. Whatever has no line is spelled as in the contract.';

/** Longest YAML map that is written on a single line, in characters. */
const longestFlow = 76;

/** Formats a binding as the YAML text of a contract file. `former` is the present text of that file, whose comments are kept. */
export function formatBindingFile(
  binding: Binding,
  questions: readonly BindingQuestion[],
  former: string | undefined,
): string {
  const document = former === undefined ? new Document({}) : parseDocument(former);
  if (former === undefined) document.commentBefore = header;
  const { version, document: source, ...tables } = binding;
  document.setIn(['version'], version);
  if (source) setChanged(document, ['document'], source);
  for (const table of bindingTables) {
    // In `constants`, the word `open` is a value for the service, and no line that waits for an answer.
    if (table !== 'constants')
      removeAnswered(document, [table], tables[table as keyof typeof tables]);
    const lines: object = tables[table as keyof typeof tables] ?? {};
    for (const [name, line] of Object.entries(lines)) setLine(document, [table, name], line);
  }
  for (const question of questions) ask(document, question);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Removes open lines of the former file that are open no more and need no other line: they are as in the contract. */
function removeAnswered(document: Document, path: readonly string[], lines: unknown): void {
  const node = document.getIn(path, true);
  if (!isMap(node)) return;
  for (const name of node.items.map(({ key }) => String(key))) {
    const line = isJsonObject(lines) && Object.hasOwn(lines, name) ? lines[name] : undefined;
    removeAnswered(document, [...path, name], line);
    if (line === undefined && node.get(name) === 'open') node.delete(name);
  }
  if (lines === undefined && node.items.length === 0) document.deleteIn(path);
}

/** Members of an existing map are set one by one, so that a person's comments stay. */
function setLine(document: Document, path: readonly string[], line: unknown): void {
  if (isJsonObject(line) && isMap(document.getIn(path, true))) {
    for (const [name, value] of Object.entries(line)) setLine(document, [...path, name], value);
    return;
  }
  setChanged(document, path, line);
}

function setChanged(document: Document, path: readonly string[], value: unknown): void {
  const node = document.getIn(path, true) as { toJSON?: () => unknown } | undefined;
  if (JSON.stringify(node?.toJSON?.()) === JSON.stringify(value)) return;
  const made = document.createNode(value);
  const isShort = JSON.stringify(value).length + (path.at(-1) ?? '').length <= longestFlow;
  if (isMap(made) && isShort) made.flow = true;
  document.setIn(path, made);
}

/** Writes the possible values of an open line, or why it has none, as a comment behind it. */
function ask(document: Document, { line, candidates, why }: BindingQuestion): void {
  const node = document.getIn(line.split('.'), true) as { comment?: string | null } | undefined;
  if (!node) return;
  if (candidates.length > 0) node.comment = ` ${candidates.join(', or ')}?`;
  else if (why !== undefined) node.comment = ` ${why}`;
}
