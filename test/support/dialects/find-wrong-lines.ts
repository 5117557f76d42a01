// What a derived binding says otherwise than the true one. What it leaves open is not wrong.
import { findBoundListLine } from '../../../src/api/contract/find-list-line.ts';
import type { Binding, FieldBindingLine } from '../../../src/model/account/binding.ts';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import {
  enumWords,
  operationShapes,
  recordBases,
  recordShapes,
} from '../../../src/api/contract/shapes.ts';
import { makeContractListLine } from '../../../src/binding/lines/list-lines.ts';

/** Every wrong line, as `line: derived instead of true`. */
export function findWrongLines(derived: Binding, truth: Binding): string[] {
  const wrong: string[] = [];
  const compare = (line: string, mine: unknown, right: unknown) => {
    if (mine === 'open' || JSON.stringify(mine) === JSON.stringify(right)) return;
    wrong.push(`${line}: ${JSON.stringify(mine)} instead of ${JSON.stringify(right)}`);
  };
  const isThere = (binding: Binding, operation: OperationId) =>
    !['none', 'open'].includes(binding.operations?.[operation] ?? '');
  const both = (Object.keys(routes) as OperationId[]).filter(
    (one) => isThere(derived, one) && isThere(truth, one),
  );
  const ids = new Set<string>();
  const enums = new Set<string>();
  const read = new Set<string>();
  const compareRecord = (record: string, owner: string, placed: readonly string[]) => {
    if (read.has(owner)) return;
    read.add(owner);
    const linesOf = ({ fields = {} }: Binding) => {
      const base = recordBases[record];
      return { ...(base && fields[base]), ...fields[owner] } as Readonly<
        Record<string, FieldBindingLine>
      >;
    };
    const [mine, right] = [linesOf(derived), linesOf(truth)];
    for (const [name, shape] of Object.entries(recordShapes[record] ?? {})) {
      if (placed.includes(name)) continue;
      const [own, theirs] = [mine[name] ?? `/${name}`, right[name] ?? `/${name}`];
      compare(`fields.${owner}.${name}`, own, theirs);
      if (JSON.stringify(own) !== JSON.stringify(theirs) || own === 'none') continue;
      if (shape.type === 'id') ids.add(shape.of);
      if (shape.type === 'enum') enums.add(shape.enum);
      if (shape.type === 'record') compareRecord(shape.record, shape.record, []);
      if (owner in recordShapes)
        compare(
          `units.${owner}.${name}`,
          derived.units?.[owner]?.[name],
          truth.units?.[owner]?.[name],
        );
    }
  };
  for (const operation of Object.keys(routes) as OperationId[]) {
    const own = `${routes[operation].method} ${routes[operation].path}`;
    compare(
      `operations.${operation}`,
      derived.operations?.[operation] ?? own,
      truth.operations?.[operation] ?? own,
    );
  }
  for (const operation of both) {
    const { isList, answer, body } = operationShapes[operation];
    const places = truth.parameters?.[operation] ?? {};
    compare(
      `parameters.${operation}`,
      sorted(derived.parameters?.[operation] ?? {}),
      sorted(places),
    );
    compare(`constants.${operation}`, derived.constants?.[operation], truth.constants?.[operation]);
    if (isList) {
      const lineOf = (binding: Binding) => {
        const line = findBoundListLine(binding, operation) ?? makeContractListLine(operation);
        return line === 'open' ? line : sorted({ ...line });
      };
      compare(`lists.${operation}`, lineOf(derived), lineOf(truth));
    } else
      compare(`answers.${operation}`, derived.answers?.[operation], truth.answers?.[operation]);
    if (answer !== undefined) compareRecord(answer, answer, []);
    const path = (derived.operations?.[operation] ?? routes[operation].path).matchAll(/\{(\w+)\}/g);
    if (body !== undefined)
      compareRecord(
        body,
        operation,
        [...path].map(([, name = '']) => name),
      );
  }
  for (const of of ids)
    compare(
      `ids.${of}`,
      derived.ids?.[of] ?? derived.ids?.default ?? 'text',
      truth.ids?.[of] ?? truth.ids?.default ?? 'text',
    );
  for (const name of enums) {
    for (const word of enumWords[name] ?? []) {
      const wordsOf = ({ enums: table }: Binding) => [table?.[name]?.[word] ?? word].flat();
      const mine = wordsOf(derived);
      if (mine[0] !== 'open') compare(`enums.${name}.${word}`, mine, wordsOf(truth));
    }
  }
  return wrong;
}

function sorted(value: object | undefined): unknown {
  return (
    value &&
    Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(
          ([key, one]: [string, unknown]) =>
            [key, typeof one === 'object' ? sorted(one as object) : one] as const,
        )
        .sort(),
    )
  );
}
