// The filters in the address of the request list.
export interface RequestFilter {
  q?: string;
  lens?: string;
  status?: string;
  confidence?: string;
  caller?: string;
  certification?: string;
}
