// The schemas check only the length, because a request with an invalid name results in 404.
import { z } from 'zod';

export const lensParamsSchema = z.object({ name: z.string().min(1).max(500).describe('Name of a lens') });
export const certifiedEntryParamsSchema = lensParamsSchema.extend({
  cert_id: z.string().min(1).max(500).describe('Id of a certified entry'),
});
export const modelParamsSchema = z.object({ model: z.string().min(1).max(500).describe('svc/<lens>, or svc/auto') });
export const ticketParamsSchema = z.object({ ticket_id: z.string().min(1).max(500).describe('Id of a review ticket') });
