import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { toUserMessage } from '../../api/user-messages.ts';
import { CertifiedBadge, GradeBadge, StatusBadge } from '../../ui/Badges.tsx';
import { formatCount, formatDateTime, formatDay } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { ErrorState, LoadingState } from '../../ui/States.tsx';
import { askInquiry, type Envelope } from '../ask/api/ask.ts';
import { createLensQuery } from '../ask/api/lenses.ts';
import askCss from '../ask/components/ask.module.css';
import { Result } from '../ask/components/Result.tsx';
import { createPlanInquiry, formatFieldName } from '../ask/lib/refine-plan.ts';
import { type Board, type BoardTile, createTileQuery } from './api.ts';
import { applyBoardFilter, type BoardFilter } from './board-filter.ts';
import css from './boards.module.css';

const MAX_TILE_ROWS = 10;

export function Tile(props: {
  board: Board;
  tile: BoardTile;
  position: number;
  filter: BoardFilter;
  spansRow: boolean;
  children: ReactNode;
}) {
  const { board, tile, position } = props;
  const { answer, fault, unappliedFields, computedAt, retry } = useTileAnswer(board, tile, props.filter);
  const title = tile.question ?? answer?.question ?? answer?.scope?.sentence.replace(/\.$/, '') ?? `Tile ${position}`;
  return (
    <article className={tile.wide ? css.wide : `${css.tile} ${props.spansRow ? css.spansRow : ''}`} aria-label={title}>
      <h2>{showHiddenCharacters(title)}</h2>
      {props.children}
      <div className={css.body} aria-live="polite">
        {!answer && !fault && <LoadingState lines={5} />}
        {fault ? <TileError fault={fault} onRetry={retry} /> : null}
        {answer && !fault && <TileAnswer answer={answer} onRetry={retry} />}
      </div>
      {unappliedFields.length > 0 && !fault && (
        <p className={askCss.hint}>Not filtered by {unappliedFields.map(formatFieldName).join(' and ')}.</p>
      )}
      {answer && !fault && <TileEvidence answer={answer} computedAt={computedAt} />}
    </article>
  );
}

/** If filters of the board apply to a tile, the app asks the tile's plan with these filters. */
function useTileAnswer(board: Board, tile: BoardTile, filter: BoardFilter) {
  const base = useQuery({ ...createTileQuery(board, tile.id), enabled: tile.lens !== null });
  const hasFilters = Object.keys(filter).length > 0;
  const lens = useQuery({ ...createLensQuery(tile.lens ?? ''), enabled: tile.lens !== null && hasFilters });
  const isWaiting = hasFilters && (!lens.data || base.isFetching);
  const filteredPlan =
    hasFilters && base.data && lens.data
      ? applyBoardFilter(base.data, filter, lens.data)
      : { body: null, unappliedFields: [] };
  const filteredQuery = useQuery({
    queryKey: ['tiles', board.id, tile.id, filteredPlan.body, base.dataUpdatedAt],
    queryFn: ({ signal }) => askInquiry(createPlanInquiry(tile.lens!, { title: '', body: filteredPlan.body! }), signal),
    enabled: filteredPlan.body !== null && !isWaiting,
    retry: false,
  });
  const activeQuery = filteredPlan.body ? filteredQuery : base;
  const accessFault = tile.lens === null ? new ApiProblem(NO_ACCESS_MESSAGE, { status: 403, code: 'forbidden' }) : null;
  return {
    answer: isWaiting && !base.data ? undefined : activeQuery.data,
    fault: accessFault ?? base.error ?? activeQuery.error,
    unappliedFields: filteredPlan.unappliedFields,
    computedAt: activeQuery.dataUpdatedAt,
    retry: () => void base.refetch(),
  };
}

const NO_ACCESS_MESSAGE = 'You don’t have access to this tile’s data. Ask an admin for access.';

/** Shows the error of a tile. For a person who may not see the tile, there is no "Try again" button. */
function TileError({ fault, onRetry }: { fault: unknown; onRetry: () => void }) {
  if (fault instanceof ApiProblem && fault.status === 403) return <p className={css.message}>{fault.message}</p>;
  return <ErrorState fault={fault} onRetry={onRetry} />;
}

function TileAnswer({ answer, onRetry }: { answer: Envelope; onRetry: () => void }) {
  const { status, data, truncated } = answer;
  if (status === 'failed')
    return (
      <>
        <p className={css.message}>
          {toUserMessage(answer.answer ?? 'svc couldn’t read the data.', answer.error?.code)}
        </p>
        <div>
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </div>
      </>
    );
  if (status !== 'answered')
    return (
      <p className={css.message}>
        {showHiddenCharacters(answer.clarification?.message ?? answer.answer ?? 'No answer.')}
      </p>
    );
  if (!data?.length) return <p className={css.message}>{showHiddenCharacters(answer.answer ?? 'No rows.')}</p>;
  return (
    <>
      <Result envelope={answer} onAsk={null} maxRows={MAX_TILE_ROWS} />
      {!answer.chart && data.length > MAX_TILE_ROWS && (
        <Link to="/answers/$id" params={{ id: answer.request_id }} className={css.all}>
          View all {formatCount(data.length)} rows
        </Link>
      )}
      {truncated && (
        <p className={askCss.hint}>This answer includes only the first {truncated.returned} rows. There are more.</p>
      )}
    </>
  );
}

function TileEvidence({ answer, computedAt }: { answer: Envelope; computedAt: number }) {
  const { status, confidence, certification, checks, data_as_of, empty, request_id } = answer;
  const isStale =
    empty?.reason === 'source_stale' || checks.some(({ name, outcome }) => name === 'data_fresh' && outcome === 'fail');
  return (
    <footer className={css.evidence}>
      {status === 'answered' && <GradeBadge confidence={confidence} />}
      {status !== 'answered' && certification !== 'certified_failed' && <StatusBadge status={status} />}
      {certification === 'certified' && <CertifiedBadge />}
      {certification === 'certified_failed' && <StatusBadge status="certified_failed" />}
      {isStale && <StatusBadge status="stale" />}
      {data_as_of && <span>Data as of {formatDay(data_as_of)}</span>}
      {status !== 'failed' && <span>Computed {formatDateTime(new Date(computedAt).toISOString())}</span>}
      <Link to="/answers/$id" params={{ id: request_id }} title={request_id}>
        {answer.receipt ? 'Receipt' : 'Request'} {request_id.slice(0, 8)}
      </Link>
    </footer>
  );
}
