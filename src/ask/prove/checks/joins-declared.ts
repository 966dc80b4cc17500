import { type AnswerCheck, failed, notApplicable, passed } from '../check.ts';
import { judgeJoins } from '../statement/joins.ts';

export const joinsDeclared: AnswerCheck = {
  name: 'joins_declared',
  critical: true,
  ofPlan: ({ read, scope }) => (read.by === 'approval' ? passed(read.said) : verdictOf(scope.joins)),
  ofStatement({ views }, { granted }) {
    const judged = views.map((view) => judgeJoins(granted.lens, view));
    const faults = [...new Set(judged.flatMap((item) => item.faults))];
    return faults.length > 0
      ? failed(faults.join(' '))
      : verdictOf([...new Set(judged.flatMap((item) => item.joined))]);
  },
};

const verdictOf = (joins: readonly string[]) =>
  joins.length === 0 ? notApplicable('No join.') : passed(`Joined along declared relationships: ${joins.join('; ')}.`);
