// Files of other tools that lie in the directory of a configuration.
import { listNames, suggest } from '../../model/text/suggest.ts';
import type { FaultList } from '../source/fault-list.ts';
import { mapChildOf, mapEntriesOf, type LocatedNode } from '../source/located-node.ts';
import { hintAtForeignKey } from './foreign-keys.ts';
import { configurationSchema, resolveSchema } from './shape-schema.ts';

const ownKeys = Object.keys(resolveSchema(configurationSchema).properties ?? {});

/** True for a key of a configuration, also a misspelt one, or one that Terraform has for it. */
const isOwnKey = (key: string): boolean =>
  suggest(key, ownKeys) !== undefined || hintAtForeignKey(key, []) !== undefined;

/** The tool whose file this is, by its keys; undefined where that is not known. */
function findTool(tree: LocatedNode): string | undefined {
  const keys = mapEntriesOf(tree);
  if (keys.has('apiVersion') && keys.has('kind')) return 'Kubernetes';
  const services = [...mapEntriesOf(mapChildOf(tree, 'services')).values()];
  const isService = ({ value }: { value: LocatedNode }) =>
    mapChildOf(value, 'image') ?? mapChildOf(value, 'build');
  return services.length > 0 && services.every(isService) ? 'Docker Compose' : undefined;
}

/** Reports, once for each file, a file without any key of a configuration; true for such a file. */
export function refuseForeignFile(tree: LocatedNode, faults: FaultList): boolean {
  const [first] = mapEntriesOf(tree).values();
  const tool = findTool(tree);
  if (!first || (tool === undefined && [...mapEntriesOf(tree).keys()].some(isOwnKey))) return false;
  faults.add({
    code: 'foreign-file',
    summary:
      tool === undefined
        ? 'The file has no key of a configuration'
        : `The file is one of ${tool}, and no configuration`,
    detail: `Every *.yaml and *.yml file directly in the directory belongs to the configuration. Its keys are ${listNames(ownKeys, 30)}.`,
    hint: 'Move the file to another directory; call it `NAME.vars.yaml` if it holds values of variables.',
    place: first.key,
  });
  return true;
}
