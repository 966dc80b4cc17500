// The prompts for reading a question over the two sample lenses: the length of each kind of call, and the length of its
// constant prefix, which providers cache. `svc eval` counts the calls for each question.
import { join } from 'node:path';
import { buildDecisionPrompt } from '../../src/ask/read/model/decide.ts';
import { DECISION_JSON_SCHEMA } from '../../src/ask/read/model/decision.ts';
import { buildModelContext } from '../../src/ask/read/model/model-context.ts';
import { buildSqlPrompt } from '../../src/ask/read/model/write-sql.ts';
import { compileLens } from '../../src/lens/compile/compile-lens.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import { ROOT } from '../support/own-process.ts';

const QUESTION = 'How much dough came in for each region in 2016?';
const unranked = { rank: async () => [] };

export async function measurePrompts() {
  const { project } = readProject(await loadProjectFolder(join(ROOT)));
  const promptSizes = [];
  for (const source of project.lenses) {
    const { lens } = await compileLens(source, { ...project, dialect: 'duckdb' });
    if (!lens) continue;
    const context = await buildModelContext(
      unranked,
      { lens, lensId: source.name, certified: new Map() },
      QUESTION,
      new Date(),
    );
    const questionInput = { question: QUESTION, choices: {} };
    const kinds = [
      buildDecisionPrompt(context, questionInput),
      buildSqlPrompt(context, questionInput, lens.dialect),
    ].map(({ system, user }) => `${system}\n${user}`);
    const [decision, sql] = kinds as [string, string];
    let commonLength = 0;
    while (commonLength < decision.length && decision[commonLength] === sql[commonLength]) commonLength++;
    promptSizes.push({
      lens: lens.name,
      lens_signs: context.text.length,
      decision_signs: decision.length,
      sql_signs: sql.length,
      same_at_the_head: Math.round((commonLength / Math.max(decision.length, sql.length)) * 100) / 100,
      schema_signs: JSON.stringify(DECISION_JSON_SCHEMA).length,
    });
  }
  return { prompts: promptSizes };
}
