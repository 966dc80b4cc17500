// An error in the format of OAuth (RFC 6749 5.2).
export type OauthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_target'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

export class OauthFault extends Error {
  override readonly name = 'OauthFault';
  readonly code: OauthCode;
  constructor(code: OauthCode, message: string) {
    super(message);
    this.code = code;
  }
}
