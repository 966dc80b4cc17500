// The filters of the request list, which its address contains.
export interface RequestFilter {
  q?: string;
  lens?: string;
  status?: string;
  confidence?: string;
  caller?: string;
  certification?: string;
}
