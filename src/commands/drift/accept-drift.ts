import { readFileSync } from 'node:fs';
import type { Configuration } from '../../config/load-configuration.ts';
import { ConfigurationFiles } from '../../config/source/configuration-files.ts';
import { defaultConfigurationSizeLimits } from '../../model/bounds.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { nameDrift, type DriftChoice } from '../../model/plan/drift-choice.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { replaceFileText } from '../formatting/write-over.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { formatRelativePath } from '../session/session.ts';
import {
  isDriftAcceptableByEdits,
  listEditedFileContents,
  findDriftEditObstacle,
} from './offer-choices.ts';
import { readDrift } from './show-drift.ts';

/**
 * Writes live values into the configuration of the working directory: all that are named, or none.
 * @throws DiagnosticError with every fault
 */
export async function writeDriftIntoConfiguration(
  runtime: SessionRuntime,
  names: readonly string[],
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly DriftChoice[]> {
  const { configuration, choices } = await readDrift(runtime, '.', reporter);
  const named = [...new Set(names)].map((name) => pickNamed(name, choices));
  const faults = named.flatMap(({ fault }) => fault ?? []);
  const picked = [...new Set(named.flatMap((one) => one.picked))];
  faults.push(...picked.filter((one) => !isDriftAcceptableByEdits(one)).map(explainByHand));
  if (faults.length > 0) throw new DiagnosticError(faults);
  const why = await findDriftEditObstacle(runtime, configuration, picked);
  if (why !== undefined) {
    throw createCommandRefusal('drift-by-hand', 'These values cannot be accepted together', {
      detail: why,
      hint: 'Give them one by one.',
    });
  }
  await writeAll(runtime, configuration, listEditedFileContents(runtime, configuration, picked));
  return picked;
}

/** The drift that a word names: one attribute, or all that has drifted of a resource. */
function pickNamed(
  name: string,
  choices: readonly DriftChoice[],
): { readonly picked: readonly DriftChoice[]; readonly fault?: Diagnostic } {
  const picked = choices.filter((one) => one.address === name || nameDrift(one) === name);
  if (picked.length > 0) return { picked };
  const known = choices.map(nameDrift);
  const meant = suggestNearestName(name, known);
  const fault: Diagnostic = {
    severity: 'error',
    code: 'no-drift',
    summary: `Nothing has drifted at ${name}`,
    detail:
      known.length === 0 ? 'There is no drift.' : `What has drifted: ${formatNameList(known, 5)}.`,
    hint:
      meant === undefined ? 'Run "hostwright drift" to see all of it.' : `Did you mean ${meant}?`,
  };
  return { picked, fault };
}

function explainByHand(choice: DriftChoice): Diagnostic {
  const { address, accept } = choice;
  const { why, source } = accept.kind === 'by-hand' ? accept : { why: '', source: undefined };
  return {
    severity: 'error',
    code: 'drift-by-hand',
    summary: `${nameDrift(choice)} cannot be accepted by itself`,
    detail: why,
    hint: 'Change the configuration by hand, or apply to put the value back. Nothing was written.',
    address,
    ...(source && { source }),
  };
}

/** Replaces the texts of files. Where one cannot be written, those before it get their old text back. */
async function writeAll(
  runtime: Pick<SessionRuntime, 'allowsOutsideFiles' | 'bounds' | 'cwd'>,
  { directory: root, written: read }: Configuration,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const files = [...texts].map(([path, text]) => {
    const shown = formatRelativePath(runtime, path);
    const bytes = readInside(runtime, { root, path, shown });
    // Keeps the byte order mark of a file that has one, so that an edit changes nothing else.
    const mark = bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? '\ufeff' : '';
    if (bytes.toString() !== mark + (read?.textOf(shown) ?? '')) {
      throw createCommandRefusal('file-changed', `${shown} was changed while it was being edited`, {
        hint: 'Run the command again.',
      });
    }
    return { path, shown, root, bytes, text: mark + text };
  });
  const written: (typeof files)[number][] = [];
  try {
    for (const file of files) {
      await replaceFileText(runtime, file, file.bytes, file.text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) {
      await replaceFileText(runtime, file, readFileSync(file.path), file.bytes.toString());
    }
    throw error;
  }
}

function readInside(
  { bounds = defaultConfigurationSizeLimits }: Pick<SessionRuntime, 'bounds'>,
  { root, path, shown }: { readonly root: string; readonly path: string; readonly shown: string },
): Buffer {
  // Files outside of the directory may be read, and are never written.
  const content = new ConfigurationFiles(root, false).read(path, bounds.fileBytes);
  if ('bytes' in content) return Buffer.from(content.bytes);
  const { code, why, hint } = content.refusal;
  throw createCommandRefusal(code, `${shown} is not edited: ${why}`, { hint });
}
