// All the words in which a model is asked to read a question: where they change, what it showed before holds no more.
import { decisionPrompt } from './decide.ts';
import { DECISION_SCHEMA } from './decision.ts';
import { sqlPrompt } from './write-sql.ts';

const context = { text: '', examples: 0 };
const asked = { question: '', choices: {} };

export const PROTOCOL = JSON.stringify([
  decisionPrompt(context, asked, ''),
  sqlPrompt(context, asked, '', ''),
  DECISION_SCHEMA,
]);
