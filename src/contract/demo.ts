import { z } from 'zod';

export const snippetSchema = z.object({
  id: z.string(),
  label: z.string(),
  auth: z.enum(['key', 'oauth']).describe('oauth: the client signs in through OAuth and needs no key'),
  code: z.string(),
});
export type Snippet = z.infer<typeof snippetSchema>;

export const demoKeySchema = z.object({
  caller: z.string(),
  key: z.string().describe('svc shows the key only once. Creating another key revokes this key'),
  expires_in_days: z.int(),
  lenses: z.array(z.string()),
  examples: z.array(z.string()).describe('Questions to try'),
  base_url: z.string(),
  agent_line: z.string().describe('Paste this line into your AI assistant'),
  connect: z.array(snippetSchema),
  other: z.array(snippetSchema),
});
export type DemoKey = z.infer<typeof demoKeySchema>;
