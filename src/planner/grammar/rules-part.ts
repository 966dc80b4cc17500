// Parts that are named like verbs: "problems reported by the staff whose name is …", where a problem has a role reported_by.
// Who plays the part restricts; it is not shown beside what is asked for.
import type { LensRelationship } from '../../lens/model/lens.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { namedOne } from './named-one.ts';
import { attempt, peekEntity, readEntity } from './read-things.ts';
import type { Rule } from './rule.ts';

const ARTICLES = /(?:the|an?|all|any|some)/;
const LEADS = /(?:ed|en|wn|ght|ade|old|aid|ent) (?:by|to|from|in|at|for)$/;

/** "reported by" of reported_by and of reported_by_staff, where staff is what it leads to; null for other roles. */
const leadOf = (c: Cursor, { role, to }: LensRelationship): string | null => {
  const said = words(role).join(' ');
  if (LEADS.test(said)) return said;
  const { name, synonyms } = c.vocabulary.dataset(to.dataset);
  const title = [name, ...synonyms].find((one) => phraseKey(said).endsWith(` ${phraseKey(one)}`));
  const lead = title && said.split(' ').slice(0, -phraseKey(title).split(' ').length).join(' ');
  return lead && LEADS.test(lead) ? lead : null;
};

interface Part {
  relationship: LensRelationship;
  length: number;
}
const partAt = (c: Cursor): Part | null => {
  const found = c.vocabulary.lens.relationships.flatMap((relationship): Part[] => {
    const lead = leadOf(c, relationship)?.split(' ');
    return lead?.every((word, index) => c.norm(index) === word) ? [{ relationship, length: lead.length }] : [];
  });
  return found.length === 1 && !c.time(found[0]!.length) ? found[0]! : null;
};

const subjectOf = (c: Cursor): string | undefined => {
  const { entities, shown } = c.draft;
  const measured = shown.at(-1)?.measure;
  const slot = shown.at(-1)?.slot;
  const owners = new Set(slot?.candidates.map(({ dataset }) => dataset));
  return (
    entities.at(-1)?.dataset ??
    (measured?.kind === 'count' ? measured.dataset : undefined) ??
    slot?.bound ??
    (owners.size === 1 ? [...owners][0] : undefined)
  );
};

/** "reported by Ann Lee", "reported by the staff named …": rows of the subject lead to whom they name. */
const played = (c: Cursor, { relationship: { role, to }, length }: Part): true | null => {
  const { at } = c;
  const article = c.match(ARTICLES, length);
  const titled = peekEntity(c, length + article);
  const somebody = c.token(length);
  if (titled && titled.dataset !== to.dataset) return null;
  if (!titled && !(somebody?.capital || somebody?.kind === 'quoted' || c.values(length).length > 0)) return null;
  const thing = c.draft.entities.findLast((one) => !one.part);
  if (c.clause.id === 0) c.newClause(false).about = thing;
  const text = c.accept(length, 'dataset', role);
  if (!titled) {
    c.draft.entities.push({ at, text, dataset: to.dataset, role, clause: c.clause, part: true });
    return true;
  }
  if (article > 0) c.accept(article, 'article');
  const mention = readEntity(c)!;
  mention.role = role;
  mention.part = true;
  namedOne(c, mention.dataset, mention.at, mention.text, role);
  return true;
};

/** "staff who are assigned to the problem …": of whom a row says so that leads to the problem. */
const playing = (c: Cursor, { relationship: { from, to }, length }: Part): true | null => {
  const { at } = c;
  const other = peekEntity(c, length + c.match(ARTICLES, length));
  const { graph, lens } = c.vocabulary;
  if (!other || other.dataset === to.dataset || graph.paths(from.dataset, other.dataset).length !== 1) return null;
  const ways = lens.relationships.filter((one) => one.from.dataset === from.dataset && one.to.dataset === to.dataset);
  if (ways.length !== 1 || c.clause.relation || c.clause.negated) return null;
  const text = c.accept(length, 'verb', from.dataset);
  if (c.clause.id === 0) c.newClause(false);
  c.clause.relation = { dataset: from.dataset, at, text };
  return true;
};

export const part: Rule = (c, state) => {
  const found = partAt(c);
  const subject = found ? subjectOf(c) : undefined;
  if (!found || !subject) return false;
  const done = attempt(c, () => (subject === found.relationship.to.dataset ? playing(c, found) : played(c, found)));
  if (done) state.head = false;
  // "filed by the machine": who files is a clerk.
  const other = peekEntity(c, found.length + c.match(ARTICLES, found.length));
  if (!done && other && other.dataset !== found.relationship.to.dataset && subject !== found.relationship.to.dataset)
    c.draft.faults.push(c.textOf(c.at, found.length));
  return done ?? false;
};
