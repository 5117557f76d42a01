import packageJson from '../../package.json' with { type: 'json' };

/** Version of this program, as published. */
export const publishedHostwrightVersion: string = packageJson.version;
