import type { Configuration } from '../../config/load-configuration.ts';
import { validateShape } from '../../config/schema/validate-shape.ts';
import { FaultList } from '../../config/source/fault-list.ts';
import { readTree } from '../../config/source/read-tree.ts';
import { SourceFile } from '../../config/source/source-file.ts';
import { loadTree } from '../../config/tests/load-tree.ts';
import { InternalError } from '../../model/errors.ts';
import {
  writeJourneyConfiguration,
  type JourneyMaterial,
  type JourneyConfiguration,
} from './journey-steps.ts';

/** The configuration of a journey at one moment, held in memory alone. `directory` holds no file of it. */
export async function loadJourney(
  directory: string,
  wanted: JourneyConfiguration,
  material: JourneyMaterial,
): Promise<Configuration> {
  const faults = new FaultList();
  const read = readTree(
    new SourceFile('journey', writeJourneyConfiguration(wanted, material)),
    faults,
  );
  if (read?.tree?.kind !== 'map') throw new InternalError('The journey has no configuration');
  validateShape(read.tree, faults);
  const options = { directory, workingDirectory: directory };
  const { configuration, diagnostics } = await loadTree(read.tree, options);
  if (configuration && faults.isEmpty) return configuration;
  const all = [...faults.toDiagnostics(), ...diagnostics];
  throw new InternalError(all.map(({ summary }) => summary).join('; '));
}
