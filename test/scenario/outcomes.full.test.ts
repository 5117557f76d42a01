import { describe } from 'vitest';
import { testOutcomes } from './outcome-courses.ts';

describe('loose', () => testOutcomes('loose'));
