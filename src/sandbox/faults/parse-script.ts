import { isRecord } from '../../model/wire/decode-fields.ts';
import { parseAction } from './parse-action.ts';
import { parseCondition } from './parse-condition.ts';
import { parseEdit } from './parse-edit.ts';
import { refuseIdle } from './refuse-idle.ts';
import { readReadyScript, type ReadyScript } from '../../model/plan/ready-script.ts';
import { ownCatalog } from '../store/catalog.ts';
import type { KnownSizes, ScriptProblem } from './script-reader.ts';
import { formatPath, ScriptReader } from './script-reader.ts';
import type { FaultRule, FaultScript } from './script.ts';

/** A script that cannot be meant as it stands, with everything that is wrong with it. */
export class FaultScriptError extends Error {
  readonly problems: readonly ScriptProblem[];

  constructor(problems: readonly ScriptProblem[]) {
    super(problems.map(({ path, message }) => `${formatPath(path)} ${message}`).join('\n'));
    this.name = 'FaultScriptError';
    this.problems = problems;
  }
}

/**
 * A script from plain data, as YAML or JSON has it; `sizes` are those of the account, the sandbox's own unless given.
 * @throws FaultScriptError
 */
export function parseFaultScript(
  value: unknown,
  sizes: KnownSizes = ownCatalog.configurations,
): FaultScript {
  const reader = new ScriptReader(sizes);
  const map = reader.map(value ?? {}, [], ['seed', 'rules', 'edits', 'ready']);
  const seed = reader.number(map.seed, ['seed'], { least: 0 });
  const rules = reader
    .list(map.rules, ['rules'])
    .map((item, index) => parseRule(reader, item, index))
    .filter((rule) => rule !== undefined);
  const edits = reader
    .list(map.edits, ['edits'])
    .map((item, index) => parseEdit(reader, item, ['edits', index], index))
    .filter((edit) => edit !== undefined);
  refuseEqualNames(reader, map.rules);
  const ready = map.ready === undefined ? undefined : parseReady(reader, map.ready);
  if (reader.problems.length > 0) throw new FaultScriptError(reader.problems);
  return { rules, edits, ...(seed !== undefined && { seed }), ...(ready && { ready }) };
}

function parseRule(reader: ScriptReader, value: unknown, index: number): FaultRule | undefined {
  const path = ['rules', index];
  const map = reader.map(value, path, ['name', 'when', 'then']);
  const name = reader.text(map.name, [...path, 'name']) ?? `rule ${index + 1}`;
  const when = parseCondition(reader, map.when, [...path, 'when']);
  const then = parseAction(reader, map.then, [...path, 'then']);
  if (then) refuseIdle(reader, { when, then }, path);
  return then && { name, when, then };
}

function parseReady(reader: ScriptReader, value: unknown): ReadyScript {
  return readReadyScript(value, (answer, address) => {
    const path = address === undefined ? ['ready'] : ['ready', address];
    if (answer === 'never') return Number.POSITIVE_INFINITY;
    if (typeof answer !== 'object') {
      reader.refuse(path, 'must be never, or a map with after.');
      return undefined;
    }
    return reader.duration(reader.map(answer, path, ['after']).after, [...path, 'after']);
  });
}

/** Refuses two fault rules of one name: the admin port removes rules by name. */
function refuseEqualNames(reader: ScriptReader, rules: unknown): void {
  const seen = new Set<unknown>();
  (Array.isArray(rules) ? rules : []).forEach((rule: unknown, index) => {
    const name = isRecord(rule) ? rule.name : undefined;
    if (name === undefined) return;
    if (seen.has(name)) reader.refuse(['rules', index, 'name'], 'is the name of another rule too.');
    seen.add(name);
  });
}
