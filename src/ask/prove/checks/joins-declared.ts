import { type AnswerCheck, createFailVerdict, createInapplicableVerdict, createPassVerdict } from '../check.ts';
import { checkJoins } from '../statement/joins.ts';

export const joinsDeclaredCheck: AnswerCheck = {
  name: 'joins_declared',
  critical: true,
  checkPlan: ({ readingOrigin: readBy, scope }) =>
    readBy.by === 'approval' ? createPassVerdict(readBy.detail) : toVerdict(scope.joins),
  checkStatement({ views }, { grantedLens }) {
    const joinVerdicts = views.map((view) => checkJoins(grantedLens.lens, view));
    const faults = [...new Set(joinVerdicts.flatMap((item) => item.faults))];
    return faults.length > 0
      ? createFailVerdict(faults.join(' '))
      : toVerdict([...new Set(joinVerdicts.flatMap((item) => item.joins))]);
  },
};

const toVerdict = (joins: readonly string[]) =>
  joins.length === 0
    ? createInapplicableVerdict('No join.')
    : createPassVerdict(`Joined along declared relationships: ${joins.join('; ')}.`);
