import packageJson from '../../package.json' with { type: 'json' };

/** Hostwright's version, as published. */
export const version: string = packageJson.version;
