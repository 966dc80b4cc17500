// Whether a model's plan is the question, as far as words can prove it. Each part of the plan is said by words of its own
// that stand together: sign, number and name of a condition, the whole name of a measure, the date of a period where it is
// not the usual one. Each word of the question is such a word, or one that cannot change what is counted. What a model
// claims in its spans is where to look, and nothing more; a part that has no way of being said is never proven.
import type { MetricsBody } from '../../../contract/ask.ts';
import type { Lens } from '../../../lens/lens.ts';
import type { Span } from './decision.ts';
import { Asked, contentWords } from './proof/asked.ts';
import { type Kind, type Part, partsOf } from './proof/plan-parts.ts';

interface Accounted {
  /** Words that nothing accounts for. */
  open: string[];
  /** Parts of the plan that no words say. */
  unsaid: string[];
}

interface Said {
  part: Part;
  from: number;
  to: number;
}

export function accountFor(lens: Lens, question: string, body: MetricsBody, spans: readonly Span[]): Accounted {
  const asked = new Asked(lens, question);
  const parts = partsOf(lens, body);
  const claims = spans.flatMap(({ text, part }) =>
    text.length <= question.length ? [{ part, places: placesOf(asked, text) }] : [],
  );
  const ways = parts.map((part) => waysOf(asked, part, claims));
  const best = covered(parts, ways, asked.words.length);
  const holder = (at: number): Said | undefined => best.find(({ from, to }) => from <= at && at < to);
  const open = asked.words.flatMap(({ text }, at) => (holder(at) || joins(asked, at, best) ? [] : [text]));
  const isSaid = ({ of, kind }: Part) =>
    kind === 'measure' && best.some(({ part }) => part.kind === 'having' && part.of === of);
  const left = parts.filter((part) => !best.some((said) => said.part === part) && !isSaid(part));
  const apart = [...scattered(best, 'measure'), ...scattered(best, 'dimension'), ...astray(best)].map(
    ({ path }) => path,
  );
  return {
    open: [...new Set([...open, ...(asked.broken ? ['.'] : [])])],
    unsaid: [...new Set([...left.map(({ path }) => path), ...apart])],
  };
}

/** Where its words may stand: each of them claimed by a span for this part. */
function waysOf(asked: Asked, part: Part, claims: readonly { part: string; places: number[] }[]): Said[] {
  const claimed = new Set<number>();
  for (const claim of claims)
    if (part.paths.some((path) => claim.part === path || claim.part.startsWith(`${path}.`)))
      for (const at of claim.places) claimed.add(at);
  return [...claimed]
    .sort((a, b) => a - b)
    .flatMap((from) => part.saying(asked, from).map((to) => ({ part, from, to })))
    .filter(({ from, to }) => asked.words.slice(from, to).every((_, nth) => claimed.has(from + nth)));
}

/** Everywhere that the words of a span stand in the question. */
function placesOf(asked: Asked, text: string): number[] {
  const wanted = contentWords(text).map(({ norm }) => norm);
  if (wanted.length === 0) return [];
  return asked.words.flatMap((_, from) =>
    wanted.every((norm, nth) => asked.norm(from + nth) === norm) ? wanted.map((_word, nth) => from + nth) : [],
  );
}

const TRIED = 20_000;

/** The choice of places, none of them shared, that leaves the fewest words and parts over. */
function covered(parts: readonly Part[], ways: readonly Said[][], length: number): Said[] {
  let best: { said: Said[]; worth: number } = { said: [], worth: -1 };
  let tried = 0;
  const taken = new Array<boolean>(length).fill(false);
  const choose = (nth: number, said: Said[], worth: number): void => {
    if (worth > best.worth) best = { said: [...said], worth };
    if (nth === parts.length || tried++ > TRIED) return;
    for (const way of ways[nth]!) {
      if (taken.slice(way.from, way.to).some(Boolean)) continue;
      taken.fill(true, way.from, way.to);
      choose(nth + 1, [...said, way], worth + way.to - way.from + 1);
      taken.fill(false, way.from, way.to);
    }
    choose(nth + 1, said, worth);
  };
  choose(0, [], 0);
  return best.said;
}

/** They join what is said; what they join is accounted for by itself. */
const JOINING = new Set(
  'of for in on at with each every their its his her which who whose what into as it they by has have had'.split(' '),
);
const BEFORE_TIME = new Set(['of', 'for', 'in', 'on', 'at', 'during']);

function joins(asked: Asked, at: number, said: readonly Said[]): boolean {
  const norm = asked.norm(at);
  const behind = said.filter(({ from }) => from > at).sort((a, b) => a.from - b.from)[0]?.part;
  const before = said.filter(({ to }) => to <= at).sort((a, b) => b.to - a.to)[0]?.part;
  if (asked.words[at]!.kind !== 'word') return false;
  if (behind?.kind === 'measure' && before?.kind === 'measure') return norm === 'and' || norm === 'with';
  if (behind?.kind === 'measure' && norm === 'by') return said.some(({ part }) => part.kind === 'rank');
  if (norm === 'and') return before?.kind === behind?.kind && LISTS.has(behind?.kind ?? 'time');
  if (norm === 'per') return behind?.kind === 'dimension' && !behind.rowOf;
  if (norm === 'from') return behind?.kind === 'filter';
  if (norm === 'during' || behind?.kind === 'time') return behind?.kind === 'time' && BEFORE_TIME.has(norm);
  return JOINING.has(norm);
}

const LISTS: ReadonlySet<Kind> = new Set<Kind>(['measure', 'dimension']);

/** What is ranked stands before its rank or right behind it: "the top 3 revenue by area" may be three of each area. */
function astray(said: readonly Said[]): Part[] {
  const rank = said.find(({ part }) => part.kind === 'rank');
  const ranked = said.find(({ part }) => part.kind === 'dimension');
  if (!rank || (ranked && (ranked.to <= rank.from || ranked.from === rank.to))) return [];
  return [rank.part];
}

/** "Revenue in the West and profit in the East": what stands between two of a kind may hold of one of them alone. */
function scattered(said: readonly Said[], kind: Kind): Part[] {
  const own = said.filter(({ part }) => part.kind === kind);
  if (own.length < 2) return [];
  const [first, last] = [Math.min(...own.map(({ from }) => from)), Math.max(...own.map(({ to }) => to))];
  const between = said.some(({ part, from }) => part.kind !== kind && first < from && from < last);
  return between ? own.map(({ part }) => part) : [];
}
