// The sample project at the repository root compiles without problems.
import { expect, test } from 'vitest';
import { loadProjectFolder } from '../files/load-project-folder.ts';
import { readProject } from '../files/read-project.ts';
import { compileLens } from './compile-lens.ts';

test('reads and compiles the sample project without a problem', async () => {
  const { project, problems } = readProject(await loadProjectFolder('.'));
  expect(problems).toEqual([]);
  expect(project.lenses.map(({ name }) => name)).toEqual(['flights', 'superstore']);
  for (const source of project.lenses) {
    const compiledLens = await compileLens(source, { ...project, dialect: 'duckdb' });
    expect(compiledLens.problems).toEqual([]);
    expect(compiledLens.lens?.metrics.length).toBeGreaterThanOrEqual(7);
  }
});
