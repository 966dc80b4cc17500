// After a person has chosen to sum a field once, this link opens the form that sets the aggregation for every question.
import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { canCurate, sessionQuery } from '../../../api/session.ts';
import type { Envelope, Inquiry } from '../api/ask.ts';

export function SetAggregationButton({
  envelope: { lens, checks },
  inquiry,
}: {
  envelope: Envelope;
  inquiry: Inquiry;
}) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isDoubtful = checks.some(({ name, outcome }) => name === 'measures_additive' && outcome === 'fail');
  const [dataset, field, ...rest] =
    Object.entries(inquiry.choices)
      .find(([, key]) => key === 'sum')?.[0]
      .split('.') ?? [];
  if (!lens || !isDoubtful || !field || rest.length > 0 || !canCurate(session)) return null;
  return (
    <Button
      component={Link}
      to={`/lenses/${lens}/edit`}
      search={{ part: `field ${dataset} ${field}` } as never}
      size="xs"
      variant="default"
    >
      Set the aggregation in the lens
    </Button>
  );
}
