// svc's own extension of an Ossie model has the parts of a lens for which Ossie's core has no equivalent.
import { stringify } from 'yaml';
import { z } from 'zod';
import type { OssieModel } from './ossie-shapes.ts';

export const SVC_VENDOR_NAME = 'SVC';
const extensionTreeSchema = z.record(z.string(), z.unknown());
const extensionSchema = z.looseObject({
  lens: extensionTreeSchema.default({}),
  fields: z.record(z.string(), extensionTreeSchema).default({}),
  datasets: z.record(z.string(), extensionTreeSchema).default({}),
  metrics: z.record(z.string(), extensionTreeSchema).default({}),
  roles: z.array(z.string()).default([]),
  certified: z.array(z.unknown()).default([]),
  evals: z.array(z.unknown()).default([]),
});
export type SvcExtension = z.infer<typeof extensionSchema>;
/** Null if the model has no svc extension. `svc plan` checks the contents of the extension like any lens.yaml. */
export function readSvcExtension({ custom_extensions: extensions = [] }: OssieModel): SvcExtension | null {
  const svcExtension = extensions.find(({ vendor_name }) => vendor_name === SVC_VENDOR_NAME);
  try {
    return extensionSchema.safeParse(svcExtension && JSON.parse(svcExtension.data)).data ?? null;
  } catch {
    return null;
  }
}

export const listCorpusFiles = ({ certified, evals }: SvcExtension): Record<string, string> => ({
  ...(certified.length > 0 ? { 'certified/core.yaml': stringify(certified, { lineWidth: 0 }) } : {}),
  ...(evals.length > 0 ? { 'evals/core.yaml': stringify(evals, { lineWidth: 0 }) } : {}),
});
