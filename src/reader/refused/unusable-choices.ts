// States why the caller's choices didn't help, if svc refuses the question despite them.
import type { ReaderInput } from '../reader-result.ts';
import { withChosenWords } from './clarify-word.ts';

const ACCEPTED_FORMS =
  'A choice can be a name of the lens, a stored value such as "West" or "region = West", or other words that svc can read in place of the word.';

/** Returns a note about the choices of a refused question. Returns an empty text if the caller sent none. */
export function describeUnusableChoices(input: ReaderInput): string {
  const choices = Object.entries(input.choices).slice(0, MAX_NOTES);
  const notes = choices.map(([term, choice]) => {
    const { input: chosenInput } = withChosenWords({ ...input, choices: { [term]: choice } });
    const reason =
      chosenInput.question === input.question
        ? 'because svc asked for no such choice'
        : `because svc can't read "${chosenInput.question}" either`;
    return `svc did not use “${term}: ${choice}” in choices, ${reason}.`;
  });
  return notes.length === 0 ? '' : ` ${notes.join(' ')} ${ACCEPTED_FORMS}`;
}
const MAX_NOTES = 3;
