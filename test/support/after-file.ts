import { afterAll } from 'vitest';
import { closeOpened } from './until-file-ends.ts';

afterAll(closeOpened, 240_000);
