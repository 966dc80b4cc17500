// Governed terms: one meaning is applied; of several the words or the asker's choice must pick one.
import type { Cursor } from '../grammar/cursor.ts';
import { Unreadable } from '../grammar/unreadable.ts';
import { phraseKey } from '../words/vocabulary.ts';

export const settleDefinitions = (c: Cursor): void => {
  const said = ` ${c.tokens.map((token) => token.stem).join(' ')} `;
  for (const use of [...c.draft.definitions]) {
    let { definition } = use;
    if (definition.senses.length > 0) {
      const chosen =
        c.choices[definition.term] ?? definition.synonyms.map((name) => c.choices[name]).find((one) => one);
      const sense =
        definition.senses.find((one) => one.key === chosen) ??
        only(
          definition.senses.filter((one) =>
            said.replace(` ${phraseKey(use.text)} `, '  ').includes(` ${phraseKey(one.key)} `),
          ),
        );
      if (!sense) {
        throw new Unreadable(
          {
            kind: 'ambiguous_term',
            term: definition.term,
            message: `"${definition.term}" has several meanings here: ${definition.senses.map((one) => one.label).join('; ')}. Say which.`,
            options: definition.senses.map(({ key, label, meaning }) => ({ key, label, meaning })),
          },
          [definition.term],
        );
      }
      c.draft.notes.push(`"${use.text}" was read as ${sense.label}.`);
      definition = { ...definition, ...sense, meaning: sense.meaning, senses: [] };
      use.definition = definition;
      // The word that picked the sense is accounted for.
      for (const word of phraseKey(sense.key).split(' ')) {
        const at = c.unread.findIndex((one) => phraseKey(one) === word);
        if (at >= 0) c.unread.splice(at, 1);
      }
    }
    if (definition.metric) {
      const metric = c.vocabulary.lens.metrics.find((one) => one.name === definition.metric);
      const rank = c.draft.ranks.find((one) => one.by === null);
      const measure = metric && ({ at: use.at, text: use.text, kind: 'metric', metrics: [metric] } as const);
      if (measure && rank) rank.by = { ...measure, metrics: [metric] };
      else if (measure && !c.draft.shown.some((item) => item.measure?.metrics?.includes(metric)))
        c.draft.shown.push({ measure: { ...measure, metrics: [metric] } });
    } else if (!definition.filter && definition.field === null) {
      c.unread.push(use.text);
    }
  }
};
const only = <T>(list: T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
