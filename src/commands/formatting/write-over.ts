import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  ConfigurationFiles,
  readSystemErrorCode,
} from '../../config/source/configuration-files.ts';
import { defaultConfigurationSizeLimits } from '../../model/bounds.ts';
import type { Runtime } from '../../model/runtime.ts';
import { replaceFile } from '../../state/files/replace-file.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** A file with the directory that its path must not lead out of by a link. */
export interface FormattableFile {
  readonly root: string;
  readonly path: string;
}

/**
 * Replaces the text of a file, unless the file has changed since it was read. For a symbolic link, the file that it leads to is
 * replaced.
 */
export async function replaceFileText(
  {
    bounds = defaultConfigurationSizeLimits,
    allowsOutsideFiles = false,
  }: Pick<Runtime, 'allowsOutsideFiles' | 'bounds'>,
  { root, path, shown }: FormattableFile & { readonly shown: string },
  read: Uint8Array,
  after: string,
): Promise<void> {
  const real = realpathSync.native(path);
  const confirm = () => {
    const now = new ConfigurationFiles(root, allowsOutsideFiles === true).read(
      path,
      bounds.fileBytes,
    );
    if ('bytes' in now && Buffer.from(now.bytes).equals(read)) return;
    throw createCommandRefusal('file-changed', `${shown} was changed while it was being edited`, {
      hint: 'Run the command again.',
    });
  };
  try {
    await replaceFile(real, after, confirm, (await stat(real)).mode & 0o7777);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw createCommandRefusal(
      'file-not-written',
      `${shown} cannot be written (${readSystemErrorCode(error)})`,
      {
        detail: 'The file is as it was.',
        hint: 'Check the permissions of its directory, and the room on its disk.',
      },
    );
  }
}
