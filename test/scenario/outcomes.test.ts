import { describe } from 'vitest';
import { testOutcomes } from './outcome-courses.ts';

// The loose service is in the long tests.
describe('strict', () => testOutcomes('strict'));
