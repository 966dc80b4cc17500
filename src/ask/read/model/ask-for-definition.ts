// Asks for clarification about an undefined term. The options are similar names and the model's own interpretation.
import type { Clarification } from '../../../contract/ask.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { findNearestNames } from '../../../reader/refused/nearest-names.ts';
import { foldValue } from '../../../reader/words/tokens.ts';
import type { EarlyEnd } from '../../outcome.ts';
import { sanitizeText } from '../../present/sanitize-text.ts';
import type { AskedQuestion } from '../plan-question.ts';
import type { MissingTerm } from './decision.ts';

const MAX_DEFINITION_LENGTH = 300; // characters

type DefinitionOption = Exclude<Clarification['options'][number], string>;

export function askForDefinition(lens: Lens, { term, taken }: MissingTerm): EarlyEnd {
  const options = [...listDefinitionOptions(lens, term), ...(taken ? listInterpretationOptions(taken) : [])];
  const instruction = `give its meaning in choices, {${JSON.stringify(term)}: "…"}. svc then proposes this meaning as the definition.`;
  if (options.length > 0)
    return {
      end: 'clarification',
      clarification: {
        kind: 'ambiguous_term',
        term,
        message: `“${term}” is not defined in this lens. Which of these do you mean? If none of them fits, ${instruction}`,
        options,
      },
    };
  return {
    end: 'refused',
    message: `“${term}” is not defined in this lens, and the lens has no similar term. To continue, ${instruction}`,
    unplaced: [{ text: term, nearest: [] }],
    proposal: null,
    suggestions: [],
  };
}

function listDefinitionOptions(lens: Lens, term: string): DefinitionOption[] {
  const names = findNearestNames(lens, term)
    .filter(({ kind }) => kind === 'definition' || kind === 'metric')
    .map(({ name }) => name);
  // A definition often has the name of its metric.
  return [...new Set(names)].map((name) => {
    const meaning =
      lens.definitions.find((definition) => definition.term === name)?.meaning ??
      lens.metrics.find((metric) => metric.name === name)?.description ??
      null;
    return { key: name, label: name, meaning };
  });
}

/** The model's interpretation as inert text, without URLs. */
function listInterpretationOptions(interpretation: string): DefinitionOption[] {
  const text = sanitizeText(interpretation.replaceAll(/\S*(?:https?:|www\.|\/\/)\S*/gi, '…'))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_DEFINITION_LENGTH);
  return text === '' ? [] : [{ key: text, label: text, meaning: 'Suggested by the language model.' }];
}

export function findChosenMeaning({ choices }: Pick<AskedQuestion, 'choices'>, term: string): string | null {
  const foldedTerm = foldValue(term);
  const choice = Object.entries(choices).find(([key]) => foldValue(key) === foldedTerm);
  return choice?.[1].trim() || null;
}
