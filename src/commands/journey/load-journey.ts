import type { Configuration } from '../../config/load-configuration.ts';
import { validateShape } from '../../config/schema/validate-shape.ts';
import { FaultList } from '../../config/source/fault-list.ts';
import { readYamlTree } from '../../config/source/read-tree.ts';
import { SourceFile } from '../../config/source/source-file.ts';
import { loadConfigurationTree } from '../../config/tests/load-tree.ts';
import { InternalError } from '../../model/errors.ts';
import {
  writeJourneyConfiguration,
  type JourneyConfigurationInputs,
  type JourneyConfiguration,
} from './journey-steps.ts';

/** The configuration of a journey at one moment, held in memory alone. `directory` holds no file of it. */
export async function loadJourney(
  directory: string,
  wanted: JourneyConfiguration,
  material: JourneyConfigurationInputs,
): Promise<Configuration> {
  const faults = new FaultList();
  const read = readYamlTree(
    new SourceFile('journey', writeJourneyConfiguration(wanted, material)),
    faults,
  );
  if (read?.tree?.kind !== 'map') throw new InternalError('The journey has no configuration');
  validateShape(read.tree, faults);
  const options = { directory, workingDirectory: directory };
  const { configuration, diagnostics } = await loadConfigurationTree(read.tree, options);
  if (configuration && faults.isEmpty) return configuration;
  const all = [...faults.toDiagnostics(), ...diagnostics];
  throw new InternalError(all.map(({ summary }) => summary).join('; '));
}
