import type { KindField, ResourceKind } from './kind.ts';

type Fields = ResourceKind['fields'];
type NamedField = readonly [name: string, field: KindField];

const listed = new WeakMap<Fields, readonly NamedField[]>();

/** The fields of a kind with their names. Listed once for each kind: a plan walks them several times for every resource. */
export function listFields({ fields }: Pick<ResourceKind, 'fields'>): readonly NamedField[] {
  let all = listed.get(fields);
  if (!all) listed.set(fields, (all = Object.entries(fields)));
  return all;
}
