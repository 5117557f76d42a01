// JSON Pointers of a binding, into what is received and what is sent.
import type { JsonPointer } from '../../model/account/binding.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** The steps of a JSON Pointer, unescaped; `*` stands for each item of a list. */
export type JsonPointerSteps = readonly string[];

/** Splits a JSON Pointer into its steps, unescaped. */
export function parseJsonPointer(pointer: JsonPointer): JsonPointerSteps {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Sets a member of an object, also one named `__proto__`, for which a plain assignment would change the prototype instead. */
export function setObjectMember(
  target: Record<string, unknown>,
  name: string,
  value: unknown,
): void {
  if (name !== '__proto__') target[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Reads the value that a JSON Pointer leads to; undefined where nothing is there. */
export function readAtJsonPointer(value: unknown, steps: JsonPointerSteps, from = 0): unknown {
  const step = steps[from];
  if (step === undefined) return value;
  if (step === '*') {
    return Array.isArray(value)
      ? value.map((item) => readAtJsonPointer(item, steps, from + 1))
      : undefined;
  }
  if (Array.isArray(value)) return readAtJsonPointer(value[Number(step)], steps, from + 1);
  return isJsonObject(value) && Object.hasOwn(value, step)
    ? readAtJsonPointer(value[step], steps, from + 1)
    : undefined;
}

/** A copy of the target with `value` at a path; objects on the way are made where they are missing. */
export function copyWithValueAtJsonPointer(
  target: unknown,
  steps: JsonPointerSteps,
  value: unknown,
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === '*') {
    const had = Array.isArray(target) ? target : [];
    const items = Array.isArray(value) ? value : [];
    return items.map((item, index) => copyWithValueAtJsonPointer(had[index], rest, item));
  }
  const had = isJsonObject(target) ? target : {};
  const inner = Object.hasOwn(had, step) ? had[step] : undefined;
  const written = { ...had };
  setObjectMember(written, step, copyWithValueAtJsonPointer(inner, rest, value));
  return written;
}
