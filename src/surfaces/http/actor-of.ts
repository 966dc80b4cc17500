// The actor of a request, for the audit log.
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/audit/audited.ts';
import { isCurator } from '../../domain/identity/principal.ts';

export const actorOf = ({ principal, id }: FastifyRequest): Actor => ({
  orgId: principal.orgId,
  name: principal.name,
  requestId: id,
  ...(isCurator(principal) && { keepsAccess: true as const }),
});
