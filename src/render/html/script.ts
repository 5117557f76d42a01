import { graphScript } from './browser/graph-script.ts';
import { listScript } from './browser/list-script.ts';

/** What a report does in a browser. It asks for nothing. Its parts are functions of their own: they share no names. */
export const reportScript = [listScript, graphScript]
  .map((script) => `\n(() => {\n'use strict';${script}})();\n`)
  .join('');
