// The three ways of each drift. An edit is offered only where the configuration was read with it, and differs in nothing
// else: a value may be written for other resources, too, in ways that its place does not tell.
import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/load-configuration.ts';
import { applyTextEdits } from '../../config/accept/edit-node.ts';
import type { FileTextOverrides } from '../../config/source/configuration-files.ts';
import { isSameFieldValue } from '../../kinds/spelling.ts';
import type {
  AcceptDriftWay,
  DriftChoice,
  DriftSubject,
  TextEdit,
} from '../../model/plan/drift-choice.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ReadingRuntime } from '../../model/runtime.ts';
import { removeSourcePlaces } from '../../model/source.ts';
import { listRevertedDrift } from '../../plan/list-drifted.ts';
import { restoreQueryResults } from '../planning/read-data.ts';
import { validate } from '../session/validate.ts';

/**
 * Lists the drift of a plan with the ways to settle each; asks nobody. `configuration` is the one that the plan was made from.
 */
export async function listDriftChoices(
  runtime: ReadingRuntime,
  configuration: Configuration,
  plan: Pick<Plan, 'changes' | 'mode'>,
): Promise<readonly DriftChoice[]> {
  const directory = relative(runtime.shellDirectory ?? runtime.cwd, configuration.directory);
  const offered = listRevertedDrift(plan).map((subject): DriftChoice => ({
    ...subject,
    ...(directory !== '' && { directory }),
    accept: findEdits(configuration, subject),
  }));
  const refused = await listRefused(
    runtime,
    configuration,
    offered.filter(isDriftAcceptableByEdits),
  );
  return offered.map((choice) => {
    const why = refused.get(choice);
    if (why === undefined || choice.accept.kind !== 'edits') return choice;
    const source = choice.accept.edits[0]?.source;
    return { ...choice, accept: { kind: 'by-hand', why, ...(source && { source }) } };
  });
}

/**
 * Tells whether drift can be accepted by edits of the configuration files that the program makes itself; other drift needs edits
 * by hand.
 */
export function isDriftAcceptableByEdits({ accept }: Pick<DriftChoice, 'accept'>): boolean {
  return accept.kind === 'edits';
}

function findEdits({ written }: Configuration, subject: DriftSubject): AcceptDriftWay {
  const place = subject.source && { source: subject.source };
  switch (subject.what) {
    case 'deleted': {
      const why = 'Remove its block: the next apply then forgets the resource.';
      return { kind: 'by-hand', why, ...place };
    }
    case 'created': {
      const why = 'Write a block for it and an `imports` entry: `hostwright export` prints both.';
      return { kind: 'by-hand', why, ...place };
    }
    case 'changed':
      if (subject.isSensitive) {
        const why = 'The value is sensitive: it is never written into a file.';
        return { kind: 'by-hand', why, ...place };
      }
      return (
        written?.accept(subject.address, subject.field, subject.live) ?? {
          kind: 'by-hand',
          why: 'The configuration was not read to its end.',
        }
      );
  }
}

/** Why edits cannot be made, by the choice that has them. All are tried together, and parts of them where that fails. */
async function listRefused(
  runtime: ReadingRuntime,
  configuration: Configuration,
  choices: readonly DriftChoice[],
): Promise<ReadonlyMap<DriftChoice, string>> {
  if (choices.length === 0) return new Map();
  const why = await findDriftEditObstacle(runtime, configuration, choices);
  if (why === undefined) return new Map();
  const [only] = choices;
  if (only && choices.length === 1) return new Map([[only, why]]);
  const half = Math.ceil(choices.length / 2);
  const first = await listRefused(runtime, configuration, choices.slice(0, half));
  const second = await listRefused(runtime, configuration, choices.slice(half));
  return new Map([...first, ...second]);
}

/** Content of the configuration files once the edits of drift choices are made, by absolute path. */
export function listEditedFileContents(
  { cwd }: Pick<ReadingRuntime, 'cwd'>,
  { written }: Configuration,
  choices: readonly DriftChoice[],
): FileTextOverrides {
  const edits = choices.flatMap(({ accept }): readonly TextEdit[] =>
    accept.kind === 'edits' ? accept.edits : [],
  );
  const files = [...new Set(edits.map(({ source }) => source.file))];
  return new Map(
    files.map((file) => {
      const own = edits.filter(({ source }) => source.file === file);
      return [resolve(cwd, file), applyTextEdits(written?.textOf(file) ?? '', own)];
    }),
  );
}

/**
 * Reads the configuration as it would be with the edits of drift choices.
 * @returns why they cannot be made; undefined where they change nothing but the accepted values
 */
export async function findDriftEditObstacle(
  runtime: ReadingRuntime,
  configuration: Configuration,
  choices: readonly DriftChoice[],
): Promise<string | undefined> {
  const instead = listEditedFileContents(runtime, configuration, choices);
  const read = await validate(runtime, configuration.directory, { instead });
  if (!read.configuration) {
    const fault = read.diagnostics.find(({ severity }) => severity === 'error');
    return `The configuration would be wrong: ${fault?.summary ?? 'it cannot be read'}.`;
  }
  const { graph } = await restoreQueryResults(read.configuration, configuration.graph.data);
  const accepted = new Map(graph.resources.map((one) => [one.address, one]));
  const other = configuration.graph.resources.find((one) => {
    const own = choices.filter(({ address }) => address === one.address);
    return !isAsExpected(one, accepted.get(one.address), own);
  });
  if (other) return `The edit would change more than this value: ${other.address} reads it, too.`;
  return accepted.size === configuration.graph.resources.length
    ? undefined
    : 'The edit would change which resources there are.';
}

/** True where a resource differs in the accepted values alone, and has them. */
function isAsExpected(
  before: DesiredResource,
  after: DesiredResource | undefined,
  choices: readonly DriftChoice[],
): boolean {
  if (!after) return false;
  const accepted = choices.flatMap((one) => (one.what === 'changed' ? [one] : []));
  const isAccepted = accepted.every(({ field, live }) =>
    isSameFieldValue(after.kind, field, after.attributes[field], live),
  );
  const names = new Set(accepted.map(({ field }) => field));
  return isAccepted && isDeepStrictEqual(strip(before, names), strip(after, names));
}

function strip(resource: DesiredResource, names: ReadonlySet<string>): unknown {
  const kept = Object.entries(resource.attributes).filter(([name]) => !names.has(name));
  const attributes = Object.fromEntries(kept);
  return removeSourcePlaces({ ...resource, attributes, attributeSources: undefined });
}
