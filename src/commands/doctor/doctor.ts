import { resolve } from 'node:path';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { examineService } from './examine-service.ts';
import { examineState } from './examine-state.ts';
import { validate, type ValidatedConfiguration } from '../session/validate.ts';

/**
 * Checks everything that a plan and an apply depend on, and returns the results of all checks at once. Changes nothing. A fault
 * that a user can fix is a result, and never thrown.
 */
export async function runDoctor(
  runtime: SessionRuntime,
  directory: string,
): Promise<readonly DoctorCheckUp[]> {
  const absolute = resolve(runtime.cwd, directory);
  const validated = await validate(runtime, directory);
  const { configuration } = validated;
  const { service, maxConnections, contract } = validated.readable();
  const settings = {
    service,
    maxConnections,
    contract,
    directory: absolute,
    resources: configuration?.graph.resources,
  };
  const [ofService, ofState] = await Promise.all([
    examineService(runtime, settings),
    examineState(runtime, absolute),
  ]);
  // The state may have recorded the same difference of clocks that the service's records show.
  const isShown = ofService.some(({ code }) => code === 'two-clocks');
  const rest = ofState.filter(({ code }) => !isShown || code !== 'two-clocks');
  return [examineConfiguration(validated), ...ofService, ...rest];
}

function examineConfiguration({
  configuration,
  diagnostics,
}: ValidatedConfiguration): DoctorCheckUp {
  const name = 'configuration';
  const faults = diagnostics.filter(({ severity }) => severity === 'error');
  const [first, ...others] = faults;
  if (!first) {
    const { files = [], graph } = configuration ?? {};
    const count = formatCountWithNoun('resource', graph?.resources.length ?? 0);
    return {
      name,
      outcome: 'ok',
      summary: `${count} in ${formatCountWithNoun('file', files.length)}`,
    };
  }
  const { source, summary, detail, code } = first;
  const place = source ? `${source.file} line ${source.line}: ` : '';
  const more =
    others.length > 0 ? `${formatCountWithNoun('more fault', others.length)} besides.` : '';
  return {
    name,
    outcome: 'failure',
    code,
    summary: `${place}${summary}`,
    detail: [detail ?? '', more].join(' ').trim(),
    hint: missing.has(code)
      ? 'Give the directory of a configuration, or write a first one: hostwright init DIR.'
      : 'See all of it with "hostwright validate".',
  };
}

/** Codes of errors that say that a directory has no configuration, which is no fault here. */
const missing: ReadonlySet<string> = new Set(['no-configuration', 'directory-not-found']);
