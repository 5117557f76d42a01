import { DiagnosticError, readErrorCode } from '../model/errors.ts';

/** A package that only some servers need, so that it is installed beside Hostwright. */
interface OptionalPackage {
  readonly name: string;
  /** Version range of the package, as `npm install` takes it. */
  readonly version: string;
  /** Packages that have to be installed with the package, as `npm install` takes them. */
  readonly others?: readonly string[];
  /** Purpose of the optional package, as a sentence for messages. */
  readonly purpose: string;
}

/**
 * Loads an optional package, which is installed beside Hostwright only where it is needed.
 * @throws DiagnosticError where it is not installed
 */
export async function loadOptionalPackage<T>(
  load: () => Promise<T>,
  { name, version, others = [], purpose }: OptionalPackage,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (readErrorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const packages = [`${name}@${version}`, ...others].join(' ');
    throw new DiagnosticError(
      [
        {
          severity: 'error',
          code: 'package-missing',
          summary: `The package ${name} is not installed`,
          detail: purpose,
          hint: `Install it beside Hostwright, with --global if Hostwright has it: npm install ${packages}`,
        },
      ],
      { cause },
    );
  }
}
