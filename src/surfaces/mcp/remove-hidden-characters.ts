// An agent's context and a terminal must not receive control characters, ANSI escapes or characters that hide text.
const HIDDEN_CHARACTER_PATTERN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const ANSI_ESCAPE_PATTERN = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

export const removeHiddenCharacters = (text: string): string =>
  text.replace(ANSI_ESCAPE_PATTERN, '').replace(HIDDEN_CHARACTER_PATTERN, '');
