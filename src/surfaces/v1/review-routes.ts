import { pageQuerySchema } from '../../contract/lens.ts';
import { reviewBodySchema, reviewListSchema, reviewTicketSchema } from '../../contract/review.ts';
import type { Deps } from '../../deps.ts';
import { getReviewTicket, listOwnReviews, raiseReview } from '../../domain/reviews/review.ts';
import { createOperationFactory } from '../http/operation.ts';
import { createIdOrder } from '../http/page.ts';
import { ticketParamsSchema } from './params.ts';

const defineOperation = createOperationFactory<Pick<Deps, 'tenancy' | 'traces' | 'baseUrl'>>('evidence', 'data');
const EXAMPLE_REVIEW = {
  request_id: '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77',
  note: 'Returns were not subtracted.',
  correction: { answer: '181,204.11 USD' },
};

export const reviewRoutes = [
  defineOperation('POST', '/reviews', {
    id: 'raiseReview',
    summary: 'Report an answer for review',
    description:
      'Callers can report their own requests. Admins and curators can report any request of the organization.',
    body: reviewBodySchema.meta({ examples: [EXAMPLE_REVIEW] }),
    status: 201,
    result: reviewTicketSchema,
    takesIdempotencyKey: true,
    fails: ['forbidden', 'not_found', 'conflict', 'too_large', 'unsupported_media_type', 'invalid'],
    run: ({ deps, principal, body }) => raiseReview(deps, principal, body),
  }),
  defineOperation('GET', '/reviews', {
    id: 'listReviews',
    summary: 'Review tickets, newest first',
    description:
      'Lists tickets about requests of this caller. For admins and curators, lists all tickets of the organization.',
    query: pageQuerySchema,
    result: reviewListSchema,
    fails: ['invalid'],
    orderBy: createIdOrder('ticket_id'),
    run: ({ deps, principal, page }) => listOwnReviews(deps, principal, page),
  }),
  defineOperation('GET', '/reviews/:ticket_id', {
    id: 'getReview',
    summary: 'One ticket with its status, ruling and comments',
    description: 'Only the caller of the request, admins and curators can read the ticket.',
    params: ticketParamsSchema,
    result: reviewTicketSchema,
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => getReviewTicket(deps, principal, params.ticket_id),
  }),
];
