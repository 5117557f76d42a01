// Moved to src/expressions, which this folder may import; the commands still find it here.
export { listNames, suggest } from '../expressions/suggest.ts';
