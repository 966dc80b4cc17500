// What is added up may be added up that way, and a mean is one that its rows bear.
import { doubtfulMeasures } from '../../../lens/doubtful-measures.ts';
import { doubted, type ProvenBy, passed } from '../check.ts';

export const measuresAdditive: ProvenBy = {
  name: 'measures_additive',
  critical: false,
  ofPlan(plan) {
    if (plan.read.by === 'approval') return passed(plan.read.said);
    if (plan.plan !== 'compiled' || plan.intent.measures.length === 0) return null;
    const doubts = [...plan.unsummed, ...doubtfulMeasures(plan.granted.lens, plan.intent)];
    return doubts.length === 0
      ? passed('What is added up may be added up over these rows.')
      : doubted(doubts.join(' '));
  },
};
