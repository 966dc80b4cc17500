// When a stored turn scrolls into view, svc computes its answer again with the reader's access.
import { useIntersection } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { createAnswerQuery, type ReopenedAnswer } from '../api/answers.ts';
import type { ConversationTurn } from '../lib/turn-state.ts';

export function StoredTurn(props: {
  turn: ConversationTurn;
  onOpened: (reopenedAnswer: ReopenedAnswer) => void;
  onFailed: (fault: unknown) => void;
  children: ReactNode;
}) {
  const { turn, onOpened, onFailed } = props;
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const isWaiting = turn.storedRequestId !== null && !turn.envelope && !turn.fault;
  const { data, error } = useQuery({
    ...createAnswerQuery(turn.storedRequestId ?? ''),
    enabled: isWaiting && entry?.isIntersecting === true,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the answer arrives
  useEffect(() => {
    if (isWaiting && data) onOpened(data);
    if (isWaiting && error) onFailed(error);
  }, [data, error]);
  return <div ref={ref}>{props.children}</div>;
}
