// Path parameters of the data plane. An invalid name isn't found, so only its size is checked.
import { z } from 'zod';

export const lensParams = z.object({ name: z.string().min(1).max(500).describe('Name of a lens') });
export const certParams = lensParams.extend({
  cert_id: z.string().min(1).max(500).describe('Id of a certified entry'),
});
export const modelParams = z.object({ model: z.string().min(1).max(500).describe('svc/<lens>, or svc/auto') });
export const ticketParams = z.object({ ticket_id: z.string().min(1).max(500).describe('Id of a review ticket') });
