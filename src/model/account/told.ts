// A service may leave out a field that the contract promises, or fill it with null where the contract has none. Such a field
// is untold: that says nothing of the resource, and is neither empty nor changed.

/** A field of a live record; undefined where the service leaves it untold. Null is a value where the contract has it as one. */
export type ReportedOrUntoldField<T> = T | undefined;

/** Tells whether the service left a field of a resource out. */
export function hasUntoldField(fields: object): boolean {
  return !areTold(fields as Readonly<Record<string, unknown>>);
}

/** Drops fields that the service did not return; gives the same object where there are none, as nearly always. */
export function omitUntoldFields<T>(
  fields: Readonly<Record<string, ReportedOrUntoldField<T>>>,
): Readonly<Record<string, T>> {
  if (areTold(fields)) return fields;
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, T & {}] => entry[1] !== undefined),
  );
}

function areTold<T>(
  fields: Readonly<Record<string, ReportedOrUntoldField<T>>>,
): fields is Readonly<Record<string, T>> {
  for (const name in fields) if (fields[name] === undefined) return false;
  return true;
}
