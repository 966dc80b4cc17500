// The filters of the Requests page, which the address of the page contains.
export interface RequestFilter {
  q?: string;
  lens?: string;
  status?: string;
  confidence?: string;
  caller?: string;
  certification?: string;
}
