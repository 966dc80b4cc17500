// The address of the page contains these filters.
export interface RequestFilter {
  q?: string;
  lens?: string;
  status?: string;
  confidence?: string;
  caller?: string;
  certification?: string;
}
