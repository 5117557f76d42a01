import { isEqual } from '../../model/value.ts';
import type { Value } from '../../model/value.ts';
import { alignSequences } from './sequence-diff.ts';
import type { AlignedPair } from './sequence-diff.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** Kind of change of a value within its resource. */
export type ValueMark = 'create' | 'update' | 'delete' | 'none';

export type ScalarValue = null | boolean | number | string;

/** Difference of two values, independent of the format in which it is drawn. */
export type ValueDiff =
  | {
      readonly kind: 'scalar';
      readonly mark: ValueMark;
      readonly before: ScalarValue;
      readonly after: ScalarValue;
    }
  | { readonly kind: 'text'; readonly mark: ValueMark; readonly lines: readonly LineDiff[] }
  | { readonly kind: 'list'; readonly mark: ValueMark; readonly elements: readonly ValueDiff[] }
  | { readonly kind: 'map'; readonly mark: ValueMark; readonly entries: readonly MapEntryDiff[] }
  | { readonly kind: 'unknown'; readonly mark: 'create' }
  | { readonly kind: 'sensitive'; readonly mark: ValueMark }
  /** Value in which the changes that were folded into one differ from each other. */
  | { readonly kind: 'various'; readonly mark: ValueMark; readonly count: number }
  /** A value that is replaced by one of another type. */
  | {
      readonly kind: 'swap';
      readonly mark: 'update';
      readonly before: ValueDiff;
      readonly after: ValueDiff;
    };

export interface LineDiff {
  readonly mark: ValueMark;
  readonly text: string;
}

export interface MapEntryDiff {
  readonly key: string;
  readonly diff: ValueDiff;
}

type Map = Readonly<Record<string, Value>>;

function isMap(value: Value): value is Map {
  return isJsonObject(value);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function isScalar(value: Value): value is ScalarValue {
  return typeof value !== 'object' || value === null;
}

/** Marks a whole value as added, removed or unchanged. */
export function markWholeValue(value: Value, mark: ValueMark): ValueDiff {
  if (isList(value)) {
    return { kind: 'list', mark, elements: value.map((item) => markWholeValue(item, mark)) };
  }
  if (isMap(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => ({ key, diff: markWholeValue(value[key] ?? null, mark) }));
    return { kind: 'map', mark, entries };
  }
  if (typeof value === 'string' && value.includes('\n')) {
    return { kind: 'text', mark, lines: value.split('\n').map((text) => ({ mark: 'none', text })) };
  }
  return { kind: 'scalar', mark, before: value, after: value };
}

/** Compares two values; `null` means that there is none. */
export function compareValues(before: Value, after: Value): ValueDiff {
  if (isEqual(before, after)) return markWholeValue(before, 'none');
  if (before === null) return markWholeValue(after, 'create');
  if (after === null) return markWholeValue(before, 'delete');
  if (isList(before) && isList(after)) return compareLists(before, after);
  if (isMap(before) && isMap(after)) return compareMaps(before, after);
  if (typeof before === 'string' && typeof after === 'string') return compareTexts(before, after);
  if (isScalar(before) && isScalar(after)) return { kind: 'scalar', mark: 'update', before, after };
  return {
    kind: 'swap',
    mark: 'update',
    before: markWholeValue(before, 'delete'),
    after: markWholeValue(after, 'create'),
  };
}

/** Describes the difference of a value from its successor, which is known only after apply. */
export function markUnknownAfterApply(before: Value): ValueDiff {
  if (before === null) return { kind: 'unknown', mark: 'create' };
  return {
    kind: 'swap',
    mark: 'update',
    before: markWholeValue(before, 'delete'),
    after: { kind: 'unknown', mark: 'create' },
  };
}

function compareTexts(before: string, after: string): ValueDiff {
  if (!before.includes('\n') && !after.includes('\n')) {
    return { kind: 'scalar', mark: 'update', before, after };
  }
  const steps = alignSequences(before.split('\n'), after.split('\n'), (a, b) => a === b);
  const lines = steps.map((step): LineDiff => {
    if (step.after === undefined) return { mark: 'delete', text: step.before ?? '' };
    return { mark: step.before === undefined ? 'create' : 'none', text: step.after };
  });
  return { kind: 'text', mark: 'update', lines };
}

function compareMaps(before: Map, after: Map): ValueDiff {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const entries = keys.map((key) => ({
    key,
    diff: compareValues(before[key] ?? null, after[key] ?? null),
  }));
  return { kind: 'map', mark: 'update', entries };
}

function compareLists(before: readonly Value[], after: readonly Value[]): ValueDiff {
  const elements: ValueDiff[] = [];
  let run: AlignedPair<Value>[] = [];
  const endRun = () => {
    elements.push(...compareRun(run));
    run = [];
  };
  for (const step of alignSequences(before, after, isEqual)) {
    if (step.before === undefined || step.after === undefined) {
      run.push(step);
    } else {
      endRun();
      elements.push(markWholeValue(step.after, 'none'));
    }
  }
  endRun();
  return { kind: 'list', mark: 'update', elements };
}

/** Elements that differ between two common ones: maps are compared pair by pair, any other element is removed and added whole. */
function compareRun(run: readonly AlignedPair<Value>[]): ValueDiff[] {
  const gone = run.flatMap((step) => (step.before === undefined ? [] : [step.before]));
  const come = run.flatMap((step) => (step.after === undefined ? [] : [step.after]));
  const elements: ValueDiff[] = [];
  let pairs = 0;
  for (; pairs < Math.min(gone.length, come.length); pairs += 1) {
    const before = gone[pairs] ?? null;
    const after = come[pairs] ?? null;
    if (!isMap(before) || !isMap(after)) break;
    elements.push(compareMaps(before, after));
  }
  elements.push(...gone.slice(pairs).map((item) => markWholeValue(item, 'delete')));
  elements.push(...come.slice(pairs).map((item) => markWholeValue(item, 'create')));
  return elements;
}
