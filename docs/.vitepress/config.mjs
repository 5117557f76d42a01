// The pages of this directory as a site: `npm run docs`. The README is its first page, and nothing is loaded from the
// network.
import { copyFile } from 'node:fs/promises';
import { defineConfig } from 'vitepress';
import { followLinks } from './links.mjs';

const page = (text, name) => ({ text, link: `/docs/${name}` });
const example = (text, name) => ({ text, link: `/examples/${name}/README` });

const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'Overview', link: '/' },
      page('Install', 'install'),
      page('Tutorial', 'tutorial'),
      page('Cookbook', 'cookbook'),
      page('From Terraform', 'from-terraform'),
    ],
  },
  {
    text: 'Write',
    items: [
      page('Language', 'language'),
      page('Variables', 'variables'),
      page('Functions', 'functions'),
      page('Modules', 'modules'),
      page('Data', 'data'),
      page('Refactoring', 'refactoring'),
      page('Tests', 'testing'),
    ],
  },
  {
    text: 'Plan and apply',
    items: [
      page('Read a plan', 'plan'),
      page('Changes', 'changes'),
      page('Rehearsals', 'rehearsal'),
      page('State', 'state'),
      page('Recovery', 'recovery'),
      page('Server', 'server'),
    ],
  },
  {
    text: 'Run',
    items: [
      page('Sandbox', 'sandbox'),
      page('A real account', 'real-account'),
      page('The contract file', 'contract'),
      page('Pipelines', 'ci'),
      page('Agents', 'agents'),
      page('Security', 'security'),
    ],
  },
  {
    text: 'Look up',
    items: [page('Commands', 'cli'), page('Errors', 'errors'), page('Glossary', 'glossary')],
  },
  {
    text: 'Examples',
    items: [
      { text: 'All examples', link: '/examples/README' },
      example('Quickstart', 'quickstart'),
      example('Shop', 'shop'),
      example('Company', 'company'),
      example('Pipelines', 'pipelines'),
      example('Release', 'release'),
      example('Faults', 'faults'),
      example('Server', 'server'),
    ],
  },
  {
    text: 'Contribute',
    items: [
      { text: 'Contributing', link: '/CONTRIBUTING' },
      page('Architecture', 'architecture'),
      page('Decisions', 'decisions/README'),
      { text: 'Changes by version', link: '/CHANGELOG' },
    ],
  },
];

export default defineConfig({
  title: 'Hostwright',
  description: 'Declarative provisioning for a cloud hosting account',
  lang: 'en',
  // No picture to ask for.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cleanUrls: false,
  srcDir: '..',
  srcExclude: ['{dist,coverage,node_modules,src,test,schemas}/**', 'examples/*/!(README).md'],
  rewrites: { 'README.md': 'index.md' },
  cacheDir: '../node_modules/.cache/vitepress',
  // What leads nowhere on the site fails the build.
  ignoreDeadLinks: false,
  markdown: {
    config: followLinks,
    languageAlias: { cel: 'js', console: 'sh' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The index for language models stands at the top of the site.
  buildEnd: ({ outDir }) => copyFile(new URL('../llms.txt', import.meta.url), `${outDir}/llms.txt`),
  themeConfig: {
    sidebar,
    outline: [2, 2],
    search: { provider: 'local' },
    nav: [
      page('Tutorial', 'tutorial'),
      page('Language', 'language'),
      page('Commands', 'cli'),
      page('Errors', 'errors'),
    ],
    docFooter: { prev: false, next: false },
  },
});
