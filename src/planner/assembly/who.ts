// "Who left in 2025?", "Who has the highest salary?": a name is asked for. Without a noun it is that of the one kind of
// person of whom the rest can be read.
import type { LensDataset } from '../../lens/model/lens.ts';
import { datesOf } from '../grammar/event-dates.ts';
import type { PlannerInput, Reading } from '../reading.ts';
import { tokenise } from '../words/tokens.ts';
import { type Vocabulary, vocabularyOf, words } from '../words/vocabulary.ts';

const OPENING = /^\s*(?:(?:please|and|so|hi|hello|hey)[,!]?\s+)*who\s+(?!else\b)/i;
const PERSONAL =
  /^(?:birth|birthday|birthdate|dob|born|gender|sex|firstname|forename|lastname|surname|salary|wage|hired|hire|email|mail)$/;
const EARNS = /^earn(?:s|ed)?$/;
const PAY = /^(?:salary|wage|pay|earning|income)s?$/;

const fieldWords = ({ fields }: LensDataset): string[] =>
  fields.flatMap(({ name, synonyms }) => [name, ...synonyms].flatMap(words));

/** The person is in the state that the verb says, or it happened to them; what they do to others is another question. */
const speaksOf = (vocabulary: Vocabulary, dataset: LensDataset, verb: string): boolean =>
  /^(?:is|are|was|were|has|have|had)$/.test(verb) ||
  (EARNS.test(verb) && fieldWords(dataset).some((word) => PAY.test(word))) ||
  datesOf({ vocabulary }, dataset.name, verb).length > 0;

const named = (reading: Reading, { display, graph }: Vocabulary): boolean =>
  reading.kind !== 'intent' ||
  reading.intent.dimensions.some(
    ({ path, field, grain }) => !grain && display(graph.datasetOf(path) ?? path).some(({ name }) => name === field),
  );

/** Reads "who" as each kind of person; null where the question does not begin so, or its own reading names somebody. */
export const readWho = (
  { question, lens }: PlannerInput,
  reading: Reading,
  read: (question: string) => Reading,
): Reading | null => {
  const opening = OPENING.exec(question)?.[0];
  // "who is the head of sales" names a part that somebody plays.
  if (opening && /^(?:is|are|was|were)\s+(?:the|an?|our|their|my)\b/i.test(question.slice(opening.length))) return null;
  if (!opening || reading.kind === 'clarification') return null;
  const vocabulary = vocabularyOf(lens);
  if (reading.kind === 'intent' && named(reading, vocabulary)) return null;
  const rest = question.slice(opening.length);
  const verb = tokenise(rest).list[0]?.norm ?? '';
  const found = lens.datasets
    .filter(
      (dataset) =>
        vocabulary.display(dataset.name).length > 0 && fieldWords(dataset).some((word) => PERSONAL.test(word)),
    )
    .filter((dataset) => speaksOf(vocabulary, dataset, verb))
    .map(({ name }) => read(`Which ${name.replaceAll('_', ' ')} ${rest}`))
    .filter((one) => one.kind === 'intent' && named(one, vocabulary));
  const [only] = found;
  if (found.length === 1 && only) return only;
  return reading.kind === 'refused'
    ? null
    : { kind: 'refused', words: ['Who'], message: 'Say whose names are asked for.', explained: true, read: [] };
};
