// Generates docs/what-you-can-ask.md from the constructions and their examples over the test shop.
import { writeCanonicalSentence } from '../../src/reader/canonical/sentence.ts';
import { findPreferredInterpretations } from '../../src/reader/decide/interpret.ts';
import { createPlanKey } from '../../src/reader/decide/interpretations.ts';
import type { Construction } from '../../src/reader/english/construction.ts';
import { CHANGE_CONSTRUCTIONS } from '../../src/reader/english/constructions/changes.ts';
import { CONDITION_CONSTRUCTIONS } from '../../src/reader/english/constructions/conditions.ts';
import { GROUP_CONSTRUCTIONS } from '../../src/reader/english/constructions/groups.ts';
import { MEASURE_CONSTRUCTIONS } from '../../src/reader/english/constructions/measures.ts';
import { NAME_CONSTRUCTIONS } from '../../src/reader/english/constructions/names.ts';
import { QUESTION_CONSTRUCTIONS } from '../../src/reader/english/constructions/questions.ts';
import { RANK_CONSTRUCTIONS } from '../../src/reader/english/constructions/ranks.ts';
import { desk } from './planner-lenses.ts';
import type { Proof } from './prove-constructions.ts';
import { turnsOf } from './turns.ts';

const now = new Date('2017-12-31T12:00:00Z');
const PARTS: readonly (readonly [title: string, entries: readonly Construction[]])[] = [
  ['Measures', MEASURE_CONSTRUCTIONS],
  ['Groups and order', GROUP_CONSTRUCTIONS],
  ['Conditions', CONDITION_CONSTRUCTIONS],
  ['Names and values', NAME_CONSTRUCTIONS],
  ['Rankings', RANK_CONSTRUCTIONS],
  ['Whole questions', QUESTION_CONSTRUCTIONS],
  ['Follow-ups', CHANGE_CONSTRUCTIONS],
];
const HEAD = `# What you can ask

A *construction* is a way to word a question or a part of a question. svc interprets a question as a combination of the
constructions on this page. The examples are questions about a shop with customers, orders, order items and products. To
list questions about your own data, run \`npx svc lens phrases <lens>\`. To complete a question while you type, use
[the completion endpoint](questions.md#complete-a-question-while-you-type).

| column | meaning |
|---|---|
| examples | questions that use the construction. In a follow-up, ">" separates the questions |
| sentence | svc's own wording of the first example. A dash means that svc can't write this sentence yet |
| proven | "yes" if the construction is proven, "in part" if only some of its wordings are proven, otherwise "no" |

A test writes thousands of plans as sentences and parses the sentences. A construction is *proven* if svc parses each of
its sentences to the original plan. If a question uses a construction that isn't proven, the answer is at most
\`partial\`. The test doesn't cover follow-up questions. The answer to a follow-up question can still be \`verified\` if
the other constructions in the question are proven and svc parses the answer sentence to the same plan.
`;

const sentenceOf = (question: string): string => {
  const left = findPreferredInterpretations({ ...turnsOf(question), lens: desk, choices: {}, now });
  const sentence = left[0] ? writeCanonicalSentence(desk, left[0].plan) : null;
  return sentence !== null && left.every(({ plan }) => createPlanKey(plan) === createPlanKey(left[0]!.plan))
    ? sentence
    : '–';
};
const provenIn = ({ proven }: Proof, { id, patterns }: Construction): string => {
  const count = proven.get(id)?.length ?? 0;
  return count === 0 ? 'no' : count < patterns.length ? 'in part' : 'yes';
};
const rows = (proof: Proof, entries: readonly Construction[]): string[] =>
  entries.map(
    (entry) => `| ${entry.examples.join('<br>')} | ${sentenceOf(entry.examples[0]!)} | ${provenIn(proof, entry)} |`,
  );

export const pageOfConstructions = (proof: Proof): string =>
  [
    HEAD,
    ...PARTS.flatMap(([title, entries]) => [
      `## ${title}`,
      '| examples | sentence | proven |',
      '|---|---|---|',
      ...rows(proof, entries),
      '',
    ]),
  ].join('\n');
