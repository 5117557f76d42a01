import { isRecord } from '../../model/wire/decode-fields.ts';
import type { DocumentFault } from './document.ts';
import { type JsonLocation, selectByJsonPath } from './json-path.ts';

/** An OpenAPI document with the corrections of an OpenAPI Overlay applied. */
export interface OverlaidDocument {
  readonly document: unknown;
  /** Faults of the overlay, by JSON Pointers into it; its other actions are applied. */
  readonly faults: readonly DocumentFault[];
}

/** Applies an OpenAPI Overlay 1.0 to a document, its actions in order. Neither value is changed. */
export function applyOverlay(document: unknown, overlay: unknown): OverlaidDocument {
  const faults: DocumentFault[] = [];
  if (!isRecord(overlay) || !Array.isArray(overlay.actions)) {
    return {
      document,
      faults: [{ pointer: '/actions', what: 'An overlay has a list of actions' }],
    };
  }
  let result = document;
  for (const [at, action] of overlay.actions.entries()) {
    const pointer = `/actions/${at}`;
    if (!isRecord(action) || typeof action.target !== 'string') {
      faults.push({ pointer, what: 'An action has a target' });
      continue;
    }
    const targets = selectByJsonPath(result, action.target);
    if (!targets) {
      faults.push({
        pointer: `${pointer}/target`,
        what: `${action.target} is no JSONPath that can be read`,
      });
      continue;
    }
    if (targets.length === 0) {
      faults.push({ pointer: `${pointer}/target`, what: `${action.target} selects nothing` });
    }
    // Removals go from the last target to the first, so that none moves another target.
    for (const target of targets.toReversed()) {
      result =
        action.remove === true
          ? changeAt(result, target, () => removed)
          : changeAt(result, target, (value) => merge(value, action.update));
    }
  }
  return { document: result, faults };
}

const removed = Symbol('removed');

function changeAt(
  value: unknown,
  [key, ...rest]: JsonLocation,
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value
      .map((item, index) => (index === key ? changeAt(item, rest, change) : item))
      .filter((item) => item !== removed);
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    ([name, item]) => [name, name === key ? changeAt(item, rest, change) : item] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== removed));
}

/** Objects are merged member by member, a list takes what it is given as one more item; all else is replaced. */
function merge(value: unknown, update: unknown): unknown {
  if (Array.isArray(value)) {
    return Array.isArray(update) ? [...value, ...update] : [...value, update];
  }
  if (!isRecord(value) || !isRecord(update)) return update;
  const merged = new Map<string, unknown>(Object.entries(value));
  for (const [name, item] of Object.entries(update)) {
    merged.set(name, merged.has(name) ? merge(merged.get(name), item) : item);
  }
  return Object.fromEntries(merged);
}
