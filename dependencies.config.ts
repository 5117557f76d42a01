// What dependencies would load or compute at every start of the built program, and nothing here uses.
import { resolve } from 'node:path';
import type { Rolldown } from 'tsdown';

/** Leaves it out. The source runs with the dependencies as they are. `root` is the folder that has `node_modules`. */
export function lightenDependencies(root: string): readonly Rolldown.Plugin[] {
  return [
    // commander would load processes for subcommands that are programs of their own.
    replaceModule('no-executable-subcommands', /^node:child_process$/, 'export {};', '/commander/'),
    // undici would load its own `fetch`, its mocks, caches and sockets, too.
    replaceModule('only-dispatchers', /^undici$/, listDispatchers(resolve(root, 'node_modules'))),
    // It asks what it runs on by a `Response`, for which Node loads its own `fetch`: a twentieth of a second.
    patch('pg-on-node', /\/pg\/lib\/stream\.js$/, [["typeof Response === 'function'", 'false']]),
    // It asks for emoji sequences with an expression that takes a twelfth of a second to compile, whatever text it measures.
    patch('patient-width', /\/string-width\/index\.js$/, [
      ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
      ['of segmenter.segment(', 'of (segmenter ??= new Intl.Segmenter()).segment('],
      ['const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;', 'let rgiEmojiRegex;'],
      ['(rgiEmojiRegex.test(', "((rgiEmojiRegex ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test("],
    ]),
  ];
}

/** What `cli/network` uses of undici, with the methods that its index adds to all of them. */
function listDispatchers(modules: string): string {
  const from = (path: string) => JSON.stringify(`${modules}/undici/lib/${path}.js`);
  return `import Dispatcher from ${from('dispatcher/dispatcher')};
import api from ${from('api/index')};
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from ${from('dispatcher/agent')};
export { default as EnvHttpProxyAgent } from ${from('dispatcher/env-http-proxy-agent')};
export { default as Pool } from ${from('dispatcher/pool')};
export { default as buildConnector } from ${from('core/connect')};`;
}

/** Has another module in its place, for all or for importers whose path has `within`. */
function replaceModule(name: string, id: RegExp, code: string, within = ''): Rolldown.Plugin {
  const own = `\0${name}`;
  return {
    name,
    resolveId: {
      filter: { id },
      handler: (_, importer) => (importer?.includes(within) ? own : undefined),
    },
    load: {
      filter: { id: new RegExp(`^${own}$`) },
      handler: () => ({ code, moduleType: 'js' }),
    },
  };
}

/** Changes texts of a file. @throws Error where one is no longer there: look at the new version of the dependency */
function patch(
  name: string,
  id: RegExp,
  changes: readonly (readonly [string, string])[],
): Rolldown.Plugin {
  return {
    name,
    transform: {
      filter: { id },
      handler: (code) =>
        changes.reduce((text, [before, after]) => {
          if (!text.includes(before)) throw new Error(`${name}: there is no ${before} to change.`);
          return text.replace(before, () => after);
        }, code),
    },
  };
}
