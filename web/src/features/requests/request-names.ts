const ROUTE_NAMES: Record<string, string> = {
  query: 'A question',
  routed: 'A question to any lens',
  metrics: 'A plan',
  sql: 'SQL',
  certified: 'A certified entry',
};
const SURFACE_NAMES: Record<string, string> = {
  v1: 'API or app',
  mcp: 'MCP',
  chat: 'Chat',
  cli: 'Command line',
  view: 'Reopened answer or board tile',
  mgmt: 'Check or preview',
};
export const formatRouteName = (route: string): string => ROUTE_NAMES[route] ?? 'A request';
export const formatSurfaceName = (surface: string): string => SURFACE_NAMES[surface] ?? 'Other';
