// An agent's context and a terminal must not receive control characters, ANSI escapes or characters that hide text.
const HIDDEN_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const ANSI_ESCAPES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

export const cleanText = (text: string): string => text.replace(ANSI_ESCAPES, '').replace(HIDDEN_CHARACTERS, '');
