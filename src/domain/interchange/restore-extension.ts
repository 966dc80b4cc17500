// svc's own extension of an Ossie model has the parts of a lens for which Ossie's core has no equivalent.
import { stringify } from 'yaml';
import { z } from 'zod';

export const SVC_VENDOR_NAME = 'SVC';
const treeSchema = z.record(z.string(), z.unknown());
const extensionSchema = z.looseObject({
  lens: treeSchema.default({}),
  fields: z.record(z.string(), treeSchema).default({}),
  datasets: z.record(z.string(), treeSchema).default({}),
  metrics: z.record(z.string(), treeSchema).default({}),
  roles: z.array(z.string()).default([]),
  certified: z.array(z.unknown()).default([]),
  evals: z.array(z.unknown()).default([]),
  definitions: z.array(z.unknown()).default([]).describe('Shared definitions of the lens'),
  entities: treeSchema.default({}).describe('Shared datasets of the lens'),
});
export type Extension = z.infer<typeof extensionSchema>;
type ExtendableObject = { custom_extensions?: { vendor_name: string; data: string }[] | undefined };

/** Null if the model has no svc extension. `svc plan` checks the contents of the extension like any lens.yaml. */
export function readSvcExtension(model: ExtendableObject): Extension | null {
  const parsedExtension = extensionSchema.safeParse(readSvcData(model));
  return parsedExtension.success ? parsedExtension.data : null;
}

/** Null if the dataset doesn't come from a shared entity. */
export function readSvcEntity(dataset: ExtendableObject): Record<string, unknown> | null {
  const parsedEntity = z.looseObject({ entity: z.string() }).safeParse(readSvcData(dataset));
  return parsedEntity.success ? parsedEntity.data : null;
}

function readSvcData({ custom_extensions: extensions = [] }: ExtendableObject): unknown {
  const svcExtension = extensions.find(({ vendor_name }) => vendor_name === SVC_VENDOR_NAME);
  try {
    return svcExtension && JSON.parse(svcExtension.data);
  } catch {
    return undefined;
  }
}

export const listCorpusFiles = ({ certified, evals }: Extension): Record<string, string> => ({
  ...(certified.length > 0 ? { 'certified/core.yaml': stringify(certified, { lineWidth: 0 }) } : {}),
  ...(evals.length > 0 ? { 'evals/core.yaml': stringify(evals, { lineWidth: 0 }) } : {}),
});
