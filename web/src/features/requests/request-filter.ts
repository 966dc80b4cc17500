// What the address of the list of requests may say.
export interface RequestFilter {
  q?: string;
  lens?: string;
  status?: string;
  confidence?: string;
  caller?: string;
  certification?: string;
}
