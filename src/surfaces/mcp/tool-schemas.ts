// The tools of tools/list. Their descriptions are short, to save space in context windows. test/mcp/doors.test.ts
// checks the limits.
import type { Tool } from '@modelcontextprotocol/server';
import { mcpTools, type ToolDescription } from '../../contract/mcp-tools.ts';
import { type JsonSchema, toAgentSchema } from './schema-for-agents.ts';

const LISTED_TOOLS: Tool[] = Object.entries(mcpTools as Record<string, ToolDescription>).map(([name, tool]) => ({
  name,
  title: tool.title,
  description: tool.description,
  inputSchema: toAgentSchema(tool.input) as Tool['inputSchema'],
  annotations: {
    readOnlyHint: tool.readOnly,
    ...(!tool.readOnly && { destructiveHint: false }),
    ...(tool.closed && { openWorldHint: false }),
  },
}));

const MAX_NAMES_LENGTH = 300;

/** Returns the tools. The description of the first tool that needs a lens lists the lenses of this key. */
export function listTools(lenses: readonly string[] | null): Tool[] {
  return LISTED_TOOLS.map((tool) => {
    if (tool.name !== 'describe_lens') return tool;
    const properties = tool.inputSchema['properties'] as Record<string, JsonSchema>;
    const lens = { ...properties['lens'], description: lensNamesText(lenses && [...lenses].sort()) };
    return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, lens } } };
  });
}

function lensNamesText(lenses: readonly string[] | null): string {
  if (lenses === null) return 'See list_lenses';
  if (lenses.length === 0) return 'No lens is granted to this key yet: ask an admin';
  const names = lenses.join(', ');
  return `One of: ${names.length > MAX_NAMES_LENGTH ? `${names.slice(0, names.lastIndexOf(',', MAX_NAMES_LENGTH))}, … (list_lenses)` : names}`;
}
