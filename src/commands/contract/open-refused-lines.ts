// Operations that a document was read to have at a place where a contract file must not have them: they are left to a person.
import type { BindingQuestion, DerivedBinding } from '../../binding/derive-binding.ts';
import { findBindingLineFaults } from '../../config/contract/check-binding.ts';
import type { Binding } from '../../model/account/binding.ts';
import { isJsonObject } from '../../model/json-object.ts';

type DerivedLines = Pick<DerivedBinding, 'binding' | 'rows' | 'questions'>;

/** Tables with lines of an operation, beside its own one. */
const besideOperations: readonly string[] = [
  ...['parameters', 'constants', 'fields', 'answers', 'lists'],
];

/**
 * Makes a derived binding ask for help: the line of each operation that the service's document refuses becomes `open`, for a
 * person to fill in. Lines that people wrote in `former` are kept.
 */
export function markRefusedOperationsOpen(derived: DerivedLines, former?: Binding): DerivedLines {
  const isWritten = (table: string, name: string) => {
    const lines = new Map<string, unknown>(Object.entries(former ?? {})).get(table);
    return isJsonObject(lines) && Object.hasOwn(lines, name) && lines[name] !== 'open';
  };
  const refused = findBindingLineFaults(derived.binding).find(
    ({ path: [table = '', name = ''] }) => {
      const isOfOperation = ['operations', 'parameters', 'constants'].includes(table);
      return isOfOperation && ![table, 'operations'].some((one) => isWritten(one, name));
    },
  );
  if (!refused) return derived;
  const [, name = ''] = refused.path;
  const line = `operations.${name}`;
  const isDropped = (table: string) => besideOperations.includes(table) && !isWritten(table, name);
  const tables = Object.entries(derived.binding).map(([table, lines]: [string, unknown]) => {
    if (!isDropped(table) || !isJsonObject(lines)) return [table, lines] as const;
    return [
      table,
      Object.fromEntries(Object.entries(lines).filter(([one]) => one !== name)),
    ] as const;
  });
  const isLeft = (one: { readonly line: string }) => {
    const [table = '', owner] = one.line.split('.');
    return one.line !== line && !(owner === name && isDropped(table));
  };
  const question: BindingQuestion = { line, candidates: [], why: refused.summary };
  const binding: Binding = {
    ...derived.binding,
    ...Object.fromEntries(tables),
    operations: { ...derived.binding.operations, [name]: 'open' },
  };
  return markRefusedOperationsOpen(
    {
      binding,
      rows: [...derived.rows.filter(isLeft), { line, is: 'open', why: refused.summary }],
      questions: [...derived.questions.filter(isLeft), question],
    },
    former,
  );
}
