import { isKnown } from '../../expressions/values/scope.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import { convertToVariableType } from './convert-value.ts';
import type { VariableType } from './value-type.ts';

/**
 * Converts a variable's value that is only known after apply to its type: known parts are converted, and optional members get
 * their defaults. A value that is one expression stays as it is.
 */
export function convertDeferredValue(deferred: DeferredValue, type: VariableType): DeferredValue {
  switch (deferred.kind) {
    case 'value': {
      const { value } = convertToVariableType(deferred.value, type);
      return isKnown(value) ? { ...deferred, value } : deferred;
    }
    case 'list': {
      if (type.kind !== 'list' && type.kind !== 'set') return deferred;
      return {
        ...deferred,
        items: deferred.items.map((one) => convertDeferredValue(one, type.of)),
      };
    }
    case 'map': {
      const { entries } = deferred;
      return type.kind === 'map' || type.kind === 'object'
        ? { ...deferred, entries: completeEntries(entries, type) }
        : deferred;
    }
    case 'expression':
      return deferred;
  }
}

type Entries = Readonly<Record<string, DeferredValue>>;

function completeEntries(
  entries: Entries,
  type: VariableType & { kind: 'map' | 'object' },
): Entries {
  const made = Object.create<DeferredValue>(null);
  if (type.kind === 'map') {
    for (const [key, one] of Object.entries(entries))
      made[key] = convertDeferredValue(one, type.of);
    return made;
  }
  for (const [name, member] of type.members) {
    const given = Object.hasOwn(entries, name) ? entries[name] : undefined;
    const isMissing = !given || (given.kind === 'value' && given.value === null);
    made[name] = isMissing
      ? { kind: 'value', value: member.default }
      : convertDeferredValue(given, member.type);
  }
  return made;
}
