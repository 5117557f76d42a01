// Loaded before the program: makes it crash as soon as it prints CRASH_AT on standard error, as a bug would, outside of
// what any command waits for. CRASH_BY: an exception that nobody catches, or a promise that nobody looks at.
import { setImmediate } from 'node:timers';

const { CRASH_AT = '', CRASH_BY } = process.env;
const write = process.stderr.write.bind(process.stderr);
let isDue = true;

process.stderr.write = (text, ...rest) => {
  const result = write(text, ...rest);
  if (isDue && String(text).includes(CRASH_AT)) {
    isDue = false;
    const bug = new Error('made for the test');
    if (CRASH_BY === 'rejection') void Promise.reject(bug);
    else
      setImmediate(() => {
        throw bug;
      });
  }
  return result;
};
