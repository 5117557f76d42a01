import { isAbsolute, relative, sep } from 'node:path';
import type { Runtime } from '../../model/runtime.ts';
import type { StatePlace } from '../../model/state/state-settings.ts';
import { BackendError } from './backend-error.ts';
import { advise, createError, explainFileError } from '../faults.ts';
import type { StateBackend } from './backend.ts';
import { openLocalBackend } from './local.ts';

/** What opening a place needs. */
export interface PlaceMeans extends Pick<
  Runtime,
  'allowsOutsideFiles' | 'clock' | 'env' | 'openNetwork'
> {
  /** Of the configuration; absolute. */
  readonly directory: string;
}

/**
 * The backend of a place, loaded when it is used. Nothing is read or asked yet.
 * @throws DiagnosticError where the environment does not say how to get there
 */
export async function openPlace(
  place: StatePlace | undefined,
  means: PlaceMeans,
): Promise<StateBackend> {
  const { clock, env } = means;
  switch (place?.kind) {
    case 'postgres': {
      const [{ openPostgresBackend }, { readConnection }] = await Promise.all([
        import('./postgres/postgres.ts'),
        import('./postgres/read-connection.ts'),
      ]);
      const { schema, name } = place;
      return openPostgresBackend({ schema, name, clock, ...readConnection(env) });
    }
    case 'git': {
      const { openGitBackend } = await import('./git/open-git-backend.ts');
      const { branch, remote, path } = place;
      const options = { branch, remote, path, directory: means.directory, clock, env };
      return openGitBackend(options).catch(explainUnusable);
    }
    default:
      return openLocal(place?.kind === 'local' ? place.path : undefined, means);
  }
}

/** What is wrong with a place before anybody was asked. */
function explainUnusable(cause: unknown): never {
  if (!(cause instanceof BackendError)) throw cause;
  throw createError('state-backend', 'The state cannot be kept where `state` says', {
    detail: explainFileError(cause),
    hint: advise(cause),
    cause,
  });
}

function openLocal(
  path: string | undefined,
  { directory, allowsOutsideFiles }: PlaceMeans,
): StateBackend {
  const backend = openLocalBackend(directory, path);
  const way = relative(directory, backend.place);
  // Not the directory itself either: its files are the user's.
  const isOutside = way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (!isOutside || allowsOutsideFiles === true) return backend;
  throw createError(
    'file-outside',
    `The state would lie outside of the configuration: ${backend.place}`,
    {
      detail: '`state.local.path` must lead below the directory of the configuration.',
      hint: 'Name a directory below it, or run with --allow-outside-files.',
    },
  );
}
