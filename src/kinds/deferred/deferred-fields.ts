import type { Change } from '../../model/plan/plan.ts';
import { kinds } from '../registry.ts';

/** The fields of a change that read what is only known after apply; what the service assigns by itself is none of them. */
export function listDeferredFields({ kind, unknown }: Pick<Change, 'kind' | 'unknown'>): string[] {
  return unknown.filter((name) => kinds[kind].fields[name]?.late !== undefined);
}
