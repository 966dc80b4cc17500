// Whether a model's plan is the question, as far as words can prove it: each word of the question stands for a part of the
// plan that the lens's own vocabulary calls so, and each part of the plan is said by a word. What a model claims in its
// spans is where to look, and nothing more.
import type { MetricsBody } from '../../../contract/ask.ts';
import type { Lens } from '../../../lens/lens.ts';
import { isFiller } from '../../../planner/words/filler-words.ts';
import type { Token } from '../../../planner/words/token.ts';
import { tokenise } from '../../../planner/words/tokens.ts';
import type { Span } from './decision.ts';
import { PlanPart } from './plan-part.ts';

interface Accounted {
  /** Words that nothing accounts for. */
  open: string[];
  /** Parts of the plan that no word says. */
  unsaid: string[];
}

/** They join what is said; what they join is accounted for by itself. */
const JOINING = new Set(
  'of for in on at from with to by per each every their its his her and that which who whose what into as it they'.split(
    ' ',
  ),
);

export function accountFor(lens: Lens, question: string, body: MetricsBody, spans: readonly Span[]): Accounted {
  const asked = tokenise(question).list.filter(({ kind }) => kind !== 'punct');
  const said = new Set<number>();
  const parts = new Set<string>();
  const literals = new Set<string>();
  for (const { text, part } of spans) {
    const found = placesOf(tokenise(text).list, asked, said);
    const node = found.length > 0 ? PlanPart.at(lens, body, part) : null;
    if (!node) continue;
    const heard = node.hears(found.map((at) => asked[at]!));
    for (const [nth, at] of found.entries()) if (heard.words.has(nth)) said.add(at);
    if (heard.words.size > 0) parts.add(node.path);
    for (const literal of heard.literals) literals.add(literal);
  }
  const open = asked.flatMap((token, at) => (said.has(at) || isJoining(token) ? [] : [token.text]));
  return { open: [...new Set(open)], unsaid: unsaidOf(lens, body, parts, literals) };
}

const isJoining = ({ kind, norm }: Token): boolean => kind === 'word' && (isFiller(norm) || JOINING.has(norm));

/** Where the words of a span stand in the question, at their first place that is not accounted for. */
function placesOf(words: readonly Token[], asked: readonly Token[], taken: ReadonlySet<number>): number[] {
  const wanted = words.filter(({ kind }) => kind !== 'punct').map(({ norm }) => norm);
  if (wanted.length === 0) return [];
  for (let from = 0; from + wanted.length <= asked.length; from++) {
    const fits = wanted.every((norm, nth) => asked[from + nth]!.norm === norm);
    if (fits && !wanted.every((_, nth) => taken.has(from + nth))) return wanted.map((_, nth) => from + nth);
  }
  return [];
}

/** A part is said by a word for it, or for what it stands within or consists of; a constant only by itself. */
function unsaidOf(lens: Lens, body: MetricsBody, said: ReadonlySet<string>, literals: ReadonlySet<string>): string[] {
  const heard = (path: string) =>
    [...said].some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`));
  return PlanPart.all(lens, body).flatMap((part) => {
    // "The highest" is one, and the order says so.
    if (part.path === 'limit' && body.limit === 1 && heard('order_by[0]')) return [];
    if (!heard(part.path)) return [part.path];
    return part.constants.filter((one) => !literals.has(one)).map((one) => `${part.path} ${one}`);
  });
}
